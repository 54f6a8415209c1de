/** `freshet check`: is everything in the data folder sound? */
import type { Command } from 'commander';
import { exitCodes } from '../errors.ts';
import { problemsOf } from '../node-upkeep.ts';
import { jsonText, printable } from '../printable.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';
import { n } from './crawl-summary.ts';

export function checkCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('check'))
    .summary('is everything in the data folder sound?')
    .description(
      'Reads all of it: the database, its index, whether it agrees with itself, WARC files. Changes nothing.',
    )
    .action(async (flags: CommonFlags) => {
      const context = await openContext(terminal, flags);
      const { dir } = context.config.storage;
      const problems = await problemsOf(context.config);
      if (context.isJson) context.print(jsonText({ v: 1, isSound: problems.length === 0, problems }));
      else for (const problem of problems) context.print(printable(problem));
      if (problems.length === 0) {
        context.tell(`Sound: all of ${dir} agrees`);
        return;
      }
      process.exitCode = exitCodes.damaged;
      context.tell(
        `Not sound: ${n(problems.length)} ${problems.length === 1 ? 'problem' : 'problems'} in ${dir}`,
      );
      context.tell('freshet restore BACKUP brings a backup back; or start again in another --data folder');
    });
}
