/** `freshet backup` and `freshet restore`: copies of the whole database, made while a crawl runs, put back while none does. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { formatSize } from '../config/units.ts';
import { backUp, restore } from '../node-upkeep.ts';
import { jsonText, printable } from '../printable.ts';
import { timeStamp } from '../store/backup.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { pages } from './crawl-summary.ts';

export function backupCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('backup <file>'))
    .summary('copy the database, also while a crawl runs')
    .description('Copies the whole database into a new file, or into a folder under a name with the time.')
    .action(async (target: string, flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      const file = fileFor(target, new Date(systemClock.now()));
      backUp(context.config, file);
      const bytes = statSync(file).size;
      if (context.isJson) context.print(jsonText({ v: 1, file, bytes }));
      context.tell(printable(`Backed up ${context.config.storage.dir} into ${file}, ${formatSize(bytes)}`));
      context.tell(printable(`Put it back with: freshet restore ${file}`));
    });
}

export function restoreCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('restore <file>'))
    .summary('put a backup in the place of the database')
    .description('Puts a backup in the place of the database. What was there is moved aside, not deleted.')
    .action(async (file: string, flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      const { documents, aside } = restore(context.config, file, new Date(systemClock.now()));
      if (context.isJson) context.print(jsonText({ v: 1, file, aside, documents }));
      context.tell(printable(`Restored ${file}: ${pages(documents)} searchable`));
      if (aside !== null) context.tell(printable(`What was there is kept as ${aside}`));
      context.tell('Start freshet serve again if it is running; freshet crawl goes on from there');
    });
}

/** A file, or one with the time in its name inside a folder. */
function fileFor(target: string, now: Date): string {
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  if (!isFolder) return target;
  return join(target, `freshet-${timeStamp(now)}.db`);
}
