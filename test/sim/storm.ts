/**
 * A storm: a random web, a crawler that is killed, stopped, broken off and let down by its disk and its clock at random
 * moments. When it is calm again, nothing may be lost: the crawl ends up with what a fresh one finds in the calm web.
 */
import type { ConfigInput } from '../../src/config.ts';
import { seededRandom } from '../support/random.ts';
import { fingerprintOf, metBy } from './coverage.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Sim, type SimOptions } from './harness.ts';
import { violations } from './invariants.ts';
import { points } from './life.ts';
import { Dice, randomWeb, type WebSize } from './random-web.ts';

/** How long a storm rages, and the crawl that goes through it. */
export interface Weather {
  readonly name: string;
  readonly stormMs: number;
  /** Every page is visited three times within it, whatever was planned before. */
  readonly calmMs: number;
  /** Longest time between two gusts. */
  readonly lullMs: number;
  readonly web: WebSize;
  /** What the brake holds differs from a fresh crawl on purpose, so it is not used. */
  readonly refresh: NonNullable<ConfigInput['refresh']>;
}

/** Two hours in which something happens every few minutes. */
export const squall: Weather = {
  name: 'squall',
  stormMs: 2 * HOUR_MS,
  calmMs: 8 * HOUR_MS,
  lullMs: 20 * MINUTE_MS,
  web: { mostPages: 11, mostEdits: 3, longestRestS: 400 },
  refresh: { max: '3h', missing_recheck: '20m', safety: { max_removed: 1 } },
};

/** Two months and a half of a crawl that stays, over a web that lives. */
export const season: Weather = {
  name: 'season',
  stormMs: 60 * DAY_MS,
  calmMs: 15 * DAY_MS,
  lullMs: 10 * DAY_MS,
  web: { mostPages: 8, mostEdits: 40, longestRestS: 5 * 86_400 },
  refresh: { initial: '3d', min: '2d', max: '8d', missing_recheck: '12h', safety: { max_removed: 1 } },
};

export type Policy = 'optimal' | 'adaptive';

export interface Ravages {
  readonly violations: readonly string[];
  /** What went wrong on the way, by kind, and how often. */
  readonly met: ReadonlyMap<string, number>;
  readonly requests: number;
  readonly spanMs: number;
  /** The same in every run of a seed. */
  readonly fingerprint: string;
}

const tables = [
  'capture',
  'document',
  'chunk',
  'robots',
  'page',
  'page_links',
  'url',
  'host',
  'counter',
  'schedule',
  'refusal',
];

/** Plays the storm of a seed, twice the same. */
export async function storm(seed: number, weather: Weather, policy: Policy): Promise<Ravages> {
  const dice = new Dice(seededRandom(seed * 7919));
  const options = stormOptions(dice, seed, weather, policy);
  const sim = new Sim(options);
  const startAt = sim.clock.now();
  try {
    while (sim.clock.now() < startAt + weather.stormMs) await gust(sim, dice, weather);
    await sim.crawlFor(weather.calmMs);
    const lost = differences(await freshCrawl(options, weather), sim);
    return {
      violations: [...violations(sim), ...lost],
      met: metBy(sim),
      requests: sim.web.journal.length,
      spanMs: sim.clock.now() - startAt,
      fingerprint: fingerprintOf(sim),
    };
  } finally {
    await sim.close();
  }
}

function stormOptions(
  dice: Dice,
  seed: number,
  { stormMs, web, refresh }: Weather,
  policy: Policy,
): SimOptions {
  const startAt = 1_767_225_600_000;
  return {
    ...randomWeb(dice, startAt, startAt + stormMs, web),
    seed,
    latencyMs: ({ at }) => 20 + (at % 977),
    config: {
      politeness: {
        delay: dice.pick([100, 1000, 2500]),
        per_host: dice.between(1, 3),
        concurrency: dice.between(1, 12),
        jitter: dice.pick([0, 0.5]),
      },
      limits: { queue: dice.pick([1, 3, 10, 1000]), queue_wait: dice.pick([0, '2s']) },
      refresh: { ...refresh, policy },
      order: dice.pick(['breadth', 'depth', 'best']),
    },
  };
}

/** Something happens to a running crawl; then a while passes. */
async function gust(sim: Sim, dice: Dice, { lullMs }: Weather): Promise<void> {
  const lastsMs = dice.between(0, dice.pick([2, 20, 60]) * SECOND_MS);
  const happens = dice.pick([die, die, die, stop, breakOff, loseDisk, crawlOn, addKnown, loseTime]);
  await happens(sim, lastsMs, dice);
  const restMs = dice.between(0, lullMs);
  if (dice.isLucky(0.5)) await sim.watchFor(restMs);
  else await sim.clock.advance(restMs);
}

async function die(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  if (dice.isLucky(0.8)) sim.doom({ point: dice.pick(points), nth: dice.between(1, dice.pick([1, 5, 50])) });
  void sim.watch();
  await sim.clock.advance(lastsMs);
  await sim.kill();
}

async function stop(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  const leave = sim.watch();
  await sim.clock.advance(lastsMs);
  await leave();
  sim.meet('stop');
  if (dice.isLucky(0.5)) await sim.restart();
}

async function breakOff(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  const abort = new AbortController();
  const leave = sim.watch({ abort: abort.signal });
  await sim.clock.advance(lastsMs);
  abort.abort();
  await leave();
  sim.meet('stop in mid-request');
  if (dice.isLucky(0.5)) await sim.restart();
}

/** From some moment on a table cannot be written; the process ends with that error, or is killed before. */
async function loseDisk(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  const leave = sim.watch();
  await sim.clock.advance(lastsMs);
  await leave();
  const table = dice.pick(tables);
  sim.breakTable(table);
  const failed = await sim.crawl().then(
    () => null,
    (error: unknown) => error,
  );
  if (failed instanceof Error && !failed.message.includes('simulated failure')) throw failed;
  if (failed !== null) sim.meet(`disk failure: ${table}`);
  sim.mendTables();
  await sim.kill();
}

async function crawlOn(sim: Sim): Promise<void> {
  await sim.crawl();
}

/** Somebody adds what is known already. */
async function addKnown(sim: Sim): Promise<void> {
  await sim.clock.until(sim.node.add(sim.config.sites.flatMap(({ start }) => start)));
  await sim.crawl();
}

/** The clock is set, while a crawl runs or not. */
async function loseTime(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  const leave = sim.watch();
  await sim.clock.advance(dice.between(0, lastsMs));
  sim.jumpClock(dice.pick([1, 1, -1]) * dice.between(1, dice.pick([MINUTE_MS, HOUR_MS, 3 * HOUR_MS])));
  await sim.clock.advance(lastsMs);
  await leave();
}

/** What a crawl finds that only knows the calm web. */
async function freshCrawl(options: SimOptions, { stormMs }: Weather): Promise<Found> {
  const fresh = new Sim(options);
  try {
    await fresh.clock.advance(stormMs + HOUR_MS);
    await fresh.crawlFor(3 * HOUR_MS);
    return { known: Object.keys(fresh.states()), indexed: fresh.indexed() };
  } finally {
    await fresh.close();
  }
}

interface Found {
  readonly known: readonly string[];
  readonly indexed: readonly string[];
}

function differences(wanted: Found, sim: Sim): string[] {
  const found: Found = { known: Object.keys(sim.states()), indexed: sim.indexed() };
  const lacks = (list: readonly string[], from: readonly string[], what: string): string[] =>
    list.filter((url) => !from.includes(url)).map((url) => `${url} ${what}`);
  return [
    ...lacks(wanted.known, found.known, 'was lost'),
    ...lacks(found.known, wanted.known, 'is known, and a fresh crawl does not find it'),
    ...lacks(wanted.indexed, found.indexed, 'is not indexed, though a fresh crawl finds it'),
    ...lacks(found.indexed, wanted.indexed, 'is indexed, though a fresh crawl does not find it'),
  ];
}
