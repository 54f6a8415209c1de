import { describe, expect, test } from 'vitest';
import { fetched, link } from '../../test/support/outcomes.ts';
import { type VirtualClock, virtualClock } from '../../test/support/virtual-clock.ts';
import { importance } from '../crawl/freshness/importance.ts';
import type { Database } from '../store/database.ts';
import { openMemoryDatabase } from '../store/database.ts';
import type { CrawlRequest, PageRecord, SignalCounts } from '../types.ts';
import { PlanTable } from './plan-table.ts';
import { defaultFrontierPolicy, type PlanningPolicy } from './policy.ts';
import { SqliteFrontier } from './sqlite.ts';

const DAY_MS = 86_400_000;
const PAGE = 'http://a.test/page';

interface World {
  readonly db: Database;
  readonly clock: VirtualClock;
  readonly frontier: SqliteFrontier;
}

function world(refresh: Partial<PlanningPolicy> = {}, delayMs = 0): World {
  const db = openMemoryDatabase();
  const clock = virtualClock();
  const policy = { delayMs, refresh: { ...defaultFrontierPolicy.refresh, ...refresh } };
  return { db, clock, frontier: new SqliteFrontier(db, { clock, policy, random: () => 0 }) };
}

function lease({ frontier }: World): CrawlRequest {
  const [request] = frontier.lease(1);
  if (request === undefined) throw new Error('nothing was lent');
  return request;
}

/** A look at the page that is lent next: it is due again `days` later. */
function look(at: World, days: number, changes: Partial<PageRecord> = {}): void {
  const request = lease(at);
  const now = at.clock.now();
  const outcome = fetched(request, now, { nextVisitAt: now + days * DAY_MS });
  const seen = { contentHash: 'a', lookedAt: now, intervalMs: days * DAY_MS, ...changes };
  at.frontier.finish([{ ...outcome, record: { ...outcome.record, ...seen } }]);
}

async function known(at: World, days: number, changes: Partial<PageRecord> = {}): Promise<void> {
  await at.frontier.add([link(PAGE)]);
  look(at, days, changes);
}

function setPrice({ db, clock }: World, logPrice: number): void {
  db.prepare('UPDATE schedule SET log_price = ?, ticked_at = ?, ticked_pages = 1').run(logPrice, clock.now());
}

function lent({ frontier }: World): string[] {
  return frontier.lease(9).map(({ record }) => record.url);
}

describe('a due page', () => {
  test('that is not worth the price any more is planned anew and not lent', async () => {
    const at = world();
    await known(at, 2);
    await at.clock.advance(2 * DAY_MS);
    setPrice(at, 1);
    expect(lent(at)).toEqual([]);
    expect(at.frontier.find(PAGE)?.intervalMs).toBeGreaterThan(3 * DAY_MS);
    expect(at.frontier.nextReadyAt()).toBeGreaterThan(at.clock.now() + DAY_MS);
  });

  test('is lent at a price it is worth', async () => {
    const at = world();
    await known(at, 2);
    await at.clock.advance(2 * DAY_MS);
    setPrice(at, -3);
    expect(lent(at)).toEqual([PAGE]);
  });

  test('is lent whatever the price when somebody asked for it, and when it is tried again after an error', async () => {
    const at = world();
    await known(at, 2);
    await at.clock.advance(DAY_MS);
    setPrice(at, 9);
    await at.frontier.add([link(PAGE)], { force: true });
    const request = lease(at);
    const retryAt = at.clock.now() + 5_000;
    const record = { ...request.record, failures: 1, reason: 'http.5xx' as const };
    at.frontier.finish([
      fetched(request, at.clock.now(), { outcome: 'ERROR', record, nextVisitAt: retryAt }),
    ]);
    await at.clock.advance(5_000);
    setPrice(at, 9);
    expect(lent(at)).toEqual([PAGE]);
  });

  test('is lent under `adaptive` when its rule says so', async () => {
    const at = world({ kind: 'adaptive' });
    await known(at, 2);
    await at.clock.advance(2 * DAY_MS);
    setPrice(at, 9);
    expect(lent(at)).toEqual([PAGE]);
  });
});

describe('a new URL', () => {
  const fresh = 'http://a.test/new';

  test('goes before a page that is due, while it is worth more', async () => {
    const at = world();
    await known(at, 0.5);
    await at.frontier.add([link(fresh)]);
    await at.clock.advance(DAY_MS / 2);
    setPrice(at, -20);
    expect(lent(at)).toEqual([fresh, PAGE]);
  });

  test('waits for a page that has not been seen for long, and for a second look', async () => {
    const at = world();
    await known(at, 80);
    await at.frontier.add([link(fresh)]);
    // The new URL is first in its turn; what decides is worth.
    await at.clock.advance(80 * DAY_MS);
    setPrice(at, -20);
    expect(lent(at)).toEqual([PAGE, fresh]);

    const other = world();
    await known(other, 0.5, { volatility: 'suspect' });
    await other.frontier.add([link(fresh)]);
    await other.clock.advance(DAY_MS / 2);
    expect(lent(other)).toEqual([PAGE, fresh]);
  });
});

describe('a signal', () => {
  const frank: SignalCounts = { changed: 90, changedSignalled: 85, unchanged: 90, unchangedSignalled: 4 };
  const say = async (at: World, counts: SignalCounts): Promise<number> => {
    await known(at, 30);
    const { changed, changedSignalled, unchanged, unchangedSignalled } = counts;
    at.db
      .prepare('UPDATE host SET changed = ?, changed_signalled = ?, unchanged = ?, unchanged_signalled = ?')
      .run(changed, changedSignalled, unchanged, unchangedSignalled);
    await at.clock.advance(DAY_MS);
    setPrice(at, 1);
    await at.frontier.add([link(PAGE, { lastmodAt: at.clock.now() - 1 })]);
    return ((at.frontier.nextReadyAt() ?? 0) - at.clock.now()) / DAY_MS;
  };

  test('of a host that is trusted brings the next visit forward; without trust it changes little', async () => {
    expect(await say(world(), frank)).toBeLessThan(10);
    expect(await say(world(), { ...frank, unchangedSignalled: 88 })).toBeGreaterThan(10);
  });

  test('is counted as true or false when the page is looked at, and is over then', async () => {
    const at = world();
    await say(at, frank);
    expect(at.frontier.find(PAGE)?.signalledAt).toBe(at.clock.now() - 1);
    await at.clock.advance(60 * DAY_MS);
    setPrice(at, -20);
    look(at, 1, { changes: 1 });
    expect(at.frontier.find(PAGE)?.signalledAt).toBeNull();
    expect(at.db.prepare('SELECT changed, changed_signalled AS told FROM host').get()).toEqual({
      changed: 91,
      told: 86,
    });
  });
});

describe('prices', () => {
  test('begin where a usual page is visited once a round, and rise while more is planned than the budget admits', async () => {
    const at = world({ budget: 10 });
    await at.frontier.add(Array.from({ length: 50 }, (_, n) => link(`http://a.test/${n}`)));
    for (let n = 0; n < 50; n++) look(at, 1);
    const price = (): number => at.db.prepare('SELECT log_price FROM schedule').pluck().get() as number;
    await at.clock.advance(DAY_MS / 4);
    at.frontier.lease(1); // 50 pages, 10 visits a day: 5 days
    const first = price();
    expect(first).toBeLessThan(0);
    await at.clock.advance(DAY_MS / 4);
    at.frontier.lease(1);
    expect(price()).toBeGreaterThan(first);
  });

  test.each([
    ['does not answer', 'failures'],
    ['pays a surcharge', 'log_factor'],
  ])('do not rise for what is overdue at a host that %s', async (_, column) => {
    const at = world();
    await known(at, 2);
    await at.clock.advance(3 * DAY_MS);
    const plans = new PlanTable(at.db);
    expect(plans.countOverdue(at.clock.now(), 9)).toBe(1);
    at.db.exec(`UPDATE host SET ${column} = 1`);
    expect(plans.countOverdue(at.clock.now(), 9)).toBe(0);
  });

  test('are surcharged at a host that admits less than its pages want', async () => {
    const at = world({ budget: 1_000_000 }, DAY_MS / 10);
    await at.frontier.add(Array.from({ length: 20 }, (_, n) => link(`http://a.test/${n}`)));
    for (let n = 0; n < 20; n++) {
      look(at, 0.5);
      await at.clock.advance(DAY_MS / 10);
    }
    const factor = (): number => at.db.prepare('SELECT log_factor FROM host').pluck().get() as number;
    expect(factor()).toBeGreaterThan(0);
  });

  test('count for more once a nearer way to them is found', async () => {
    const at = world();
    await at.frontier.add([{ ...link(PAGE), depth: 2 }]);
    look(at, 3);
    const weights = (): unknown => at.db.prepare('SELECT weight FROM schedule').pluck().get();
    const before = weights();
    await at.frontier.add([{ ...link(PAGE), depth: 0 }]);
    expect(before).toBeCloseTo(importance(2, 0), 9);
    expect(weights()).toBeCloseTo(importance(0, 0), 9);
    expect(at.db.prepare('SELECT weight FROM host').pluck().get()).toEqual(weights());
  });

  test('and what is believed survive a restart, and totals are what the pages add up to', async () => {
    const at = world();
    await known(at, 3, { evidence: { changes: 2, days: 9 }, volatility: 'steady', changesInRow: 1 });
    await at.clock.advance(4 * DAY_MS);
    setPrice(at, -3);
    look(at, 5, { evidence: { changes: 3, days: 10 }, volatility: 'steady' });
    const totals = 'SELECT pages, weight, demand, rate_log_sum, rate_count FROM';
    const kept = at.db.prepare(`${totals} schedule`).get() as Record<string, number>;
    expect(at.db.prepare(`${totals} host`).get()).toEqual(kept);
    const again = new SqliteFrontier(at.db, { clock: at.clock });
    again.recover();
    const anew = at.db.prepare(`${totals} schedule`).get() as Record<string, number>;
    for (const [name, value] of Object.entries(kept)) expect(anew[name]).toBeCloseTo(value, 9);
    expect(again.find(PAGE)).toMatchObject({ evidence: { changes: 3, days: 10 }, volatility: 'steady' });
  });
});
