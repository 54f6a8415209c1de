#!/usr/bin/env node
/** The command line. Each command is one file; this one joins them and turns errors into one clear line and an exit code. */
import { Command, CommanderError } from 'commander';
import { exitCodes, UserError } from '../errors.ts';
import { printableLines } from '../printable.ts';
import { diskError, isDamage } from '../store/disk-error.ts';
import { VERSION } from '../version.ts';
import { addCommand } from './add.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import type { Terminal } from './context.ts';
import { crawlCommand } from './crawl.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { heldCommand } from './held.ts';
import { reportCommand } from './report.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { undeleteCommand } from './undelete.ts';
import { urlsCommand } from './urls.ts';

const commands = [
  crawlCommand,
  addCommand,
  statusCommand,
  searchCommand,
  urlsCommand,
  explainCommand,
  reportCommand,
  heldCommand,
  undeleteCommand,
  serveCommand,
  backupCommand,
  restoreCommand,
  checkCommand,
  demoCommand,
  doctorCommand,
];

async function main(argv: readonly string[], terminal: Terminal): Promise<void> {
  const program = new Command('freshet')
    .description('Crawl sites continuously and search them.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(printableLines(text.replace(/^error: /, 'freshet: '))),
    })
    .showHelpAfterError('(freshet --help lists the commands)');
  for (const add of commands) add(program, terminal);
  // Sub-commands made before do not inherit these.
  for (const command of program.commands) command.copyInheritedSettings(program).exitOverride();
  await program.parseAsync(argv as string[]);
}

function exitCodeOf(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof UserError) {
    const lines = error.message.split('\n').map((line) => `freshet: ${line}\n`);
    const hint = error.hint === '' ? '' : `  ${error.hint}\n`;
    terminal.stderr.write(printableLines(lines.join('') + hint));
    return exitCodes[error.exit];
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.stderr.write(printableLines(`freshet: unexpected error, please report it\n${stack}\n`));
  return exitCodes.unexpected;
}

/** False once the pipe behind standard error is closed. */
let isHeard = true;

const terminal: Terminal = {
  cwd: process.cwd(),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt(run) {
    const onInt = (): void => run('SIGINT');
    const onTerm = (): void => run('SIGTERM');
    process.on('SIGINT', onInt);
    process.on('SIGTERM', onTerm);
    // The terminal is closed: nobody will press Ctrl-C, and what is in flight can still be saved.
    process.on('SIGHUP', onTerm);
    if (!isHeard) queueMicrotask(onTerm);
    return () => {
      process.off('SIGINT', onInt);
      process.off('SIGTERM', onTerm);
      process.off('SIGHUP', onTerm);
    };
  },
};

// `freshet urls | head` closes our standard output early; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  if (error.code !== 'EIO') throw error;
});

// So does `freshet crawl 2>&1 | head`: then a crawl stops as SIGTERM stops it, and what is short ends by itself.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  // A terminal that was closed takes nothing more; SIGHUP says so.
  if (error.code === 'EIO') return;
  if (error.code !== 'EPIPE') throw error;
  const wasHeard = isHeard;
  isHeard = false;
  if (wasHeard) process.emit('SIGTERM', 'SIGTERM');
});

try {
  await main(process.argv, terminal);
} catch (error) {
  // A command that could open its database may meet a damaged page later.
  const isDamaged = error instanceof Error && isDamage(error);
  process.exitCode = exitCodeOf(isDamaged ? diskError(error, 'the data folder') : error, terminal);
}
