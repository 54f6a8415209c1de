/**
 * A storm: a random web, a crawler that is killed, stopped, broken off and let down by its disk at random moments. When it
 * is calm again, nothing may be lost: the crawl ends up with what a fresh one finds in the calm web.
 */
import { seededRandom } from '../support/random.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, Sim, type SimOptions } from './harness.ts';
import { violations } from './invariants.ts';
import { Dice, randomWeb } from './random-web.ts';

export interface Ravages {
  readonly violations: readonly string[];
  /** Known URLs and their states: after the storm, and in a fresh crawl of the calm web. */
  readonly states: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>>;
  readonly indexed: readonly string[];
  readonly expectedIndexed: readonly string[];
}

const STORM_MS = 2 * HOUR_MS;
/** Every page is visited three times within it, whatever was planned before. */
const CALM_MS = 14 * HOUR_MS;

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
  'refusal',
];

/** Plays the storm of a seed, twice the same. */
export async function storm(seed: number): Promise<Ravages> {
  const dice = new Dice(seededRandom(seed * 7919));
  const options = stormOptions(dice, seed);
  const sim = new Sim(options);
  const calmAt = sim.clock.now() + STORM_MS;
  try {
    while (sim.clock.now() < calmAt) await gust(sim, dice);
    await sim.crawlFor(CALM_MS);
    const fresh = await freshCrawl(options);
    return { ...fresh, violations: violations(sim), states: sim.states(), indexed: sim.indexed() };
  } finally {
    await sim.close();
  }
}

function stormOptions(dice: Dice, seed: number): SimOptions {
  const startAt = 1_767_225_600_000;
  return {
    ...randomWeb(dice, startAt, startAt + STORM_MS),
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
      // What the brake holds differs from a fresh crawl on purpose.
      refresh: { max: '3h', missing_recheck: '20m', safety: { max_removed: 1 } },
      order: dice.pick(['breadth', 'depth', 'best']),
    },
  };
}

/** Something happens to a running crawl; then a while passes. */
async function gust(sim: Sim, dice: Dice): Promise<void> {
  const lastsMs = dice.between(0, dice.pick([2, 20, 60]) * SECOND_MS);
  await dice.pick([die, die, stop, breakOff, loseDisk, crawlOn, addKnown])(sim, lastsMs, dice);
  await sim.clock.advance(dice.between(0, 20 * MINUTE_MS));
}

async function die(sim: Sim, lastsMs: number): Promise<void> {
  void sim.watch();
  await sim.clock.advance(lastsMs);
  await sim.kill();
}

async function stop(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  const leave = sim.watch();
  await sim.clock.advance(lastsMs);
  await leave();
  if (dice.isLucky(0.5)) await sim.restart();
}

async function breakOff(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  const abort = new AbortController();
  const leave = sim.watch({ abort: abort.signal });
  await sim.clock.advance(lastsMs);
  abort.abort();
  await leave();
  if (dice.isLucky(0.5)) await sim.restart();
}

/** From some moment on a table cannot be written; the process ends with that error, or is killed before. */
async function loseDisk(sim: Sim, lastsMs: number, dice: Dice): Promise<void> {
  const leave = sim.watch();
  await sim.clock.advance(lastsMs);
  await leave();
  sim.breakTable(dice.pick(tables));
  const failed = await sim.crawl().then(
    () => null,
    (error: unknown) => error,
  );
  if (failed instanceof Error && !failed.message.includes('simulated failure')) throw failed;
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

/** What a crawl finds that only knows the calm web. */
async function freshCrawl(options: SimOptions): Promise<Pick<Ravages, 'expected' | 'expectedIndexed'>> {
  const fresh = new Sim(options);
  try {
    await fresh.clock.advance(STORM_MS + HOUR_MS);
    await fresh.crawlFor(3 * HOUR_MS);
    return { expected: fresh.states(), expectedIndexed: fresh.indexed() };
  } finally {
    await fresh.close();
  }
}
