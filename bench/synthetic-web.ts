/** Starts the synthetic web in a process of its own, so that its CPU time is not the crawler's. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FromServer, ServerOptions, Traffic } from './synthetic-server.ts';

export type { Traffic } from './synthetic-server.ts';

export interface SyntheticWeb {
  /** One origin a host: loopback with a port of its own. */
  readonly origins: readonly string[];
  /** The first page of every host; every page is reachable from its host's within five links. */
  readonly startUrls: readonly string[];
  readonly pages: number;
  traffic(): Promise<Traffic>;
  close(): Promise<void>;
}

/** Resolves when all pages are rendered: about 1 ms a page. */
export async function startSyntheticWeb(options: Partial<ServerOptions> = {}): Promise<SyntheticWeb> {
  const all: ServerOptions = { pages: 5_000, hosts: 40, seed: 1, hasTraps: false, latencyMs: 0, ...options };
  const child = fork(new URL('./synthetic-server.js', import.meta.url), [JSON.stringify(all)]);
  const next = async (): Promise<FromServer> => {
    const exit = new AbortController();
    const died = once(child, 'exit', { signal: exit.signal }).then(() => {
      throw new Error('the synthetic web ended before it answered');
    });
    try {
      const [message] = (await Promise.race([once(child, 'message'), died])) as [FromServer];
      return message;
    } finally {
      died.catch(() => undefined); // aborted below
      exit.abort();
    }
  };
  const first = await next();
  if (first.kind !== 'ready') throw new Error('the synthetic web spoke out of turn');
  return {
    origins: first.origins,
    startUrls: first.origins.map((origin) => `${origin}/`),
    pages: all.pages,
    async traffic() {
      child.send('traffic');
      const message = await next();
      if (message.kind !== 'traffic') throw new Error('the synthetic web spoke out of turn');
      return message.traffic;
    },
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
