/** What keeps answers: the archive in the database and, when they are switched on, WARC files beside it. A part of node.ts. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Archive } from './archive/archive.ts';
import { SqliteArchive } from './archive/sqlite.ts';
import { problemsInWarcs } from './archive/warc/check.ts';
import { WarcLog, warcPosition } from './archive/warc/log.ts';
import type { Clock } from './clock.ts';
import { PRODUCT, userAgentOf } from './config/user-agent.ts';
import type { Config } from './config.ts';
import type { Database } from './store/database.ts';
import { VERSION } from './version.ts';

export interface Archives {
  readonly archive: SqliteArchive;
  /** Where a commit writes: the files first, so that nothing is committed that is not in them. */
  readonly all: Pick<Archive, 'write'>;
  close(): void;
}

/** Files are written by a crawl only. */
export function archivesOf(db: Database, config: Config, clock: Clock, isCrawling: boolean): Archives {
  const archive = new SqliteArchive(db, { keep: config.content.snapshots.keep });
  if (!config.archive.hasWarc || !isCrawling) return { archive, all: archive, close: () => undefined };
  const warc = new WarcLog(db, {
    folder: warcFolder(config),
    maxFileBytes: config.archive.maxFileBytes,
    about: [
      ['software', `${PRODUCT}/${VERSION}`],
      ['robots', 'classic'],
      ['http-header-user-agent', userAgentOf(config, VERSION)],
      ...(config.contact === null ? [] : [['operator', config.contact] as const]),
    ],
    now: () => clock.now(),
    newId: randomUUID,
  });
  const all: Archives['all'] = {
    write(outcomes) {
      warc.write(outcomes);
      archive.write(outcomes);
    },
  };
  return { archive, all, close: () => warc.close() };
}

/** What is wrong with the WARC files of a data folder, a line each. */
export function warcProblems(db: Database, config: Config): Promise<string[]> {
  return problemsInWarcs(warcFolder(config), warcPosition(db));
}

function warcFolder(config: Config): string {
  return join(config.storage.dir, 'warc');
}
