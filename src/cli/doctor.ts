/** `freshet doctor`: checks this machine and this data folder, each with what to do about it. */
import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { formatSize } from '../config/units.ts';
import type { Config } from '../config.ts';
import { exitCodes, UserError } from '../errors.ts';
import { jsonText } from '../printable.ts';
import { DATABASE_FILE, openDatabase, openMemoryDatabase } from '../store/database.ts';
import { lockFolder } from '../store/lock.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Below this a crawl soon fills the disk. */
const LITTLE_DISK_BYTES = 1024 ** 3;
const OLDEST_NODE = [20, 18] as const;

export function doctorCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('doctor'))
    .summary('check this machine and this set-up')
    .action(async (flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      const checks = await allChecks(context.config);
      if (context.isJson) context.print(jsonText({ v: 1, checks }));
      else
        for (const check of checks)
          context.print(`${check.ok ? '✔' : '✖'} ${check.name.padEnd(14)} ${check.detail}`);
      if (checks.some((check) => !check.ok)) process.exitCode = exitCodes.unexpected;
    });
}

async function allChecks(config: Config): Promise<Check[]> {
  return [
    nodeVersion(),
    ...folderChecks(config.storage.dir),
    searchEngine(),
    segmenter(),
    await portIsFree(config.serve.host, config.serve.port),
    {
      name: 'sites',
      ok: true,
      detail:
        config.sites.length === 0
          ? 'none configured; freshet crawl URL starts one'
          : `${config.sites.length} configured`,
    },
  ];
}

function nodeVersion(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return {
    name: 'node',
    ok,
    detail: ok ? process.version : `${process.version}; ${OLDEST_NODE.join('.')} or newer is needed`,
  };
}

function folderChecks(dir: string): Check[] {
  const writable = attempt('data folder', () => {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK);
    return `${dir} is writable`;
  });
  if (!writable.ok) return [writable];
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  return [
    writable,
    { name: 'disk', ok: free >= LITTLE_DISK_BYTES, detail: `${formatSize(free)} free` },
    attempt('lock', () => {
      lockFolder(dir, process.pid)();
      return 'no crawl is running';
    }),
    attempt('database', () => checkDatabase(dir)),
  ];
}

function checkDatabase(dir: string): string {
  if (!existsSync(join(dir, DATABASE_FILE))) return 'none yet';
  const db = openDatabase(dir, { isReadOnly: true });
  try {
    const result = db.pragma('quick_check(1)', { simple: true });
    if (result !== 'ok') throw new UserError('damaged', `damaged: ${String(result)}`);
    return 'sound';
  } finally {
    db.close();
  }
}

function searchEngine(): Check {
  return attempt('search engine', () => {
    const db = openMemoryDatabase();
    const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
    db.close();
    return `SQLite ${version} with FTS5`;
  });
}

function segmenter(): Check {
  return attempt('charsets', () => {
    // A Node built without full ICU cannot read Chinese pages.
    const text = new TextDecoder('gb18030').decode(Uint8Array.of(0xd6, 0xd0));
    if (text !== '中') throw new Error('this Node lacks legacy charsets (full ICU)');
    return 'legacy charsets are known';
  });
}

function portIsFree(host: string, port: number): Promise<Check> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) =>
      resolve({
        name: 'port',
        ok: false,
        detail: `${host}:${port} cannot be used: ${error.message}; choose another with serve.port`,
      }),
    );
    server.listen(port, host, () =>
      server.close(() => resolve({ name: 'port', ok: true, detail: `${host}:${port} is free` })),
    );
  });
}

function attempt(name: string, check: () => string): Check {
  try {
    return { name, ok: true, detail: check() };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
