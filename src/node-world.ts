/** What a Freshet has of the world besides its data folder: time, chance, network and threads. A part of node.ts. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Clock, type Random, systemClock, systemRandom } from './clock.ts';
import { userAgentOf } from './config/user-agent.ts';
import type { Config } from './config.ts';
import { directReader, type Reader } from './crawl/reader.ts';
import type { Downloader } from './fetch/downloader.ts';
import { HttpDownloader } from './fetch/http.ts';
import { defaultFetchLimits } from './fetch/limits.ts';
import { DnsResolver } from './fetch/resolver.ts';
import { ReaderPool } from './threads/reader-pool.ts';
import { parseAllowList } from './url/address.ts';
import { VERSION } from './version.ts';

export interface WorldOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** In place of the HTTP downloader: replayed or simulated answers. */
  readonly downloader?: Downloader;
  /** False: no threads beside the crawl, to read pages and to keep the log of the database small; for simulations. */
  readonly hasThreads?: boolean;
}

export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly downloader: Downloader;
  readonly reader: Reader;
  close(): Promise<void>;
}

/** More of them would wait for the thread of the crawl, which needs as long for a page as one of them. */
const MAX_READERS = 2;

/** Nothing is opened or started before it is used; only a crawl uses threads. */
export function worldOf(config: Config, options: WorldOptions, isCrawling: boolean): World {
  const { clock = systemClock, random = systemRandom, hasThreads = true } = options;
  const downloader = options.downloader ?? httpDownloader(config, clock);
  const pool = isCrawling && hasThreads ? readerPool(clock) : null;
  return {
    clock,
    random,
    downloader,
    reader: pool ?? directReader,
    async close() {
      await downloader.close();
      await pool?.close();
    },
  };
}

/** Threads for reading pages; none where there is one core only, or no script for them: in TypeScript sources, in a bundle. */
function readerPool(clock: Clock): ReaderPool | null {
  const size = Math.min(availableParallelism() - 1, MAX_READERS);
  const script = new URL('./threads/reader-thread.js', import.meta.url);
  return size < 1 || !existsSync(script) ? null : new ReaderPool(script, clock, size);
}

function httpDownloader(config: Config, clock: Clock): Downloader {
  const { limits } = config;
  return new HttpDownloader({
    userAgent: userAgentOf(config, VERSION),
    ...(config.from === null ? {} : { from: config.from }),
    limits: {
      ...defaultFetchLimits,
      connectMs: limits.connectMs,
      idleMs: limits.readMs,
      totalMs: limits.totalMs,
      maxHeaderBytes: limits.maxHeaderBytes,
      maxBodyBytes: limits.maxBodyBytes,
    },
    allow: parseAllowList(config.security.allowPrivate),
    resolver: new DnsResolver(clock),
    clock,
    keepsWire: config.archive.hasWarc,
    connectionsPerOrigin: config.politeness.perHost,
  });
}
