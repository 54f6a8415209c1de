/** `freshet serve`: the search page with snapshots, on loopback, and an inbox for pushed URLs. A crawl may run beside it. */
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import type { Override } from '../config.ts';
import { type FreshetReader, openInbox, openReader } from '../node.ts';
import { jsonText } from '../printable.ts';
import type { WebMetrics } from '../web/reads.ts';
import { startServer } from '../web/server.ts';
import { type CommonFlags, openContext, type Terminal, withCommonFlags } from './context.ts';

interface ServeFlags extends CommonFlags {
  readonly host?: string;
  readonly port?: string;
}

export function serveCommand(program: Command, terminal: Terminal): void {
  withCommonFlags(program.command('serve'))
    .summary('open the search page')
    .option('--host <address>', 'loopback address to listen on (default 127.0.0.1)')
    .option('--port <n>', 'port to listen on (default 7700)')
    .action(async (flags: ServeFlags) => {
      const context = await openContext(terminal, flags, overridesOf(flags));
      const { config, log } = context;
      const inbox = openInbox(config); // makes the folder, so that the page can say how to begin before anything was crawled
      const reader = openReader(config);
      const { index, archive, reports } = reader;
      const reads = {
        page: (id: number) => reports.page(id),
        status: () => reports.overview(),
        metrics: () => metricsOf(reader, systemClock.now()),
      };
      const parts = { index, archive, reads, inbox: inbox.submissions };
      const server = await startServer({ config, ...parts, clock: systemClock, log });
      if (context.isJson) context.print(jsonText({ v: 1, url: server.url }));
      context.tell(`Search page: ${server.url}   (Ctrl-C to stop)`);
      await new Promise<void>((resolve) => {
        const ignore = terminal.onInterrupt(() => {
          ignore();
          resolve();
        });
      });
      await server.close();
      reader.close();
      inbox.close();
    });
}

function metricsOf({ reports, held, freshness }: FreshetReader, nowMs: number): WebMetrics {
  return {
    documents: reports.documents(),
    states: reports.states(),
    overdue: reports.dueBefore(nowMs),
    held: held.hosts().reduce((sum, host) => sum + host.held, 0),
    freshness: freshness.read(nowMs),
  };
}

function overridesOf({ host, port }: ServeFlags): Override[] {
  return [
    ...(host === undefined ? [] : [{ path: 'serve.host', value: host, origin: '--host' }]),
    ...(port === undefined ? [] : [{ path: 'serve.port', value: port, origin: '--port' }]),
  ];
}
