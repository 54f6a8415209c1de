/** The frontier in SQLite keeps the contract; and what is particular to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { frontierContract } from '../../test/contract/frontier.ts';
import type { FrontierSetup } from '../../test/contract/frontier-setup.ts';
import { fetched, link, links } from '../../test/support/outcomes.ts';
import { seededRandom } from '../../test/support/random.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { type Database, openDatabase, openMemoryDatabase } from '../store/database.ts';
import { SqliteFrontier } from './sqlite.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

frontierContract('SqliteFrontier', async (setup) => onDisk(setup));

/** A frontier in a folder of its own; a restart and a second process get connections of their own. */
function onDisk({ clock, policy }: FrontierSetup) {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-frontier-'));
  const databases: Database[] = [];
  const connect = (seed: number): SqliteFrontier => {
    const db = openDatabase(folder);
    databases.push(db);
    return new SqliteFrontier(db, { clock, policy, random: seededRandom(seed) });
  };
  const frontier = connect(1);
  const close = (): void => {
    for (const db of databases.splice(0)) db.close();
    rmSync(folder, { recursive: true, force: true });
  };
  cleanups.push(close);
  let other: SqliteFrontier | undefined;
  return {
    clock,
    db: databases[0] as Database,
    frontier,
    second: () => (other ??= connect(2)),
    async restart() {
      const frontier = connect(3);
      frontier.recover();
      return frontier;
    },
    close,
  };
}

describe('SqliteFrontier in the transaction of its caller', () => {
  test('what is rolled back was never known: it can be found again (fault 12)', async () => {
    const { db, frontier, clock } = inMemory();
    await frontier.add(links('a.test', 1));
    const [request] = frontier.lease(1);
    if (request === undefined) throw new Error('nothing lent');
    const outcome = fetched(request, clock.now(), { links: [link('http://a.test/found')] });
    const commit = db.transaction((mustFail: boolean) => {
      frontier.finish([outcome]);
      if (mustFail) throw new Error('the archive failed');
    });
    expect(() => commit(true)).toThrow('the archive failed');
    expect(frontier.holds(request)).toBe(true);
    expect(frontier.find('http://a.test/found')).toBeNull();
    commit(false);
    expect(frontier.find('http://a.test/found')).not.toBeNull();
    await clock.advance(1_000);
    expect(frontier.lease(9).map(({ record }) => record.url)).toEqual(['http://a.test/found']);
  });

  test('the same when another process writes before we look again', async () => {
    const { frontier, second, db, clock, close } = onDisk({ clock: virtualClock(), policy: {} });
    await frontier.add(links('a.test', 1));
    const [request] = frontier.lease(1);
    if (request === undefined) throw new Error('nothing lent');
    const outcome = fetched(request, clock.now(), { links: [link('http://a.test/found')] });
    const commit = db.transaction(() => {
      frontier.finish([outcome]);
      throw new Error('the archive failed');
    });
    expect(commit).toThrow('the archive failed');
    await second().add(links('b.test', 1));
    expect((await frontier.add([link('http://a.test/found')])).added).toBe(1);
    close();
  });
});

test('bug-065: a URL that memory has forgotten is known all the same', async () => {
  const { frontier } = inMemory();
  const hosts = Array.from({ length: 3 }, (_, n) => links(`h${n}.test`, 70_000)); // twice 100,000 are remembered at most
  for (const urls of hosts) expect((await frontier.add(urls, { waits: false })).added).toBe(70_000);
  expect((await frontier.add(hosts[0]?.slice(0, 1000) ?? [])).added).toBe(0);
});

describe('recover', () => {
  test('ranks what waits anew when the order of the crawl was changed', async () => {
    const { db, frontier, clock } = inMemory();
    frontier.recover();
    await frontier.add([link('http://a.test/1'), link('http://a.test/2', { depth: 3 })]);
    const deepFirst = new SqliteFrontier(db, { clock, policy: { order: 'depth' } });
    deepFirst.recover();
    expect(deepFirst.lease(1)[0]?.record.url).toBe('http://a.test/2');
  });

  test('gives back the loans of a dead process and says how many', async () => {
    const { db, frontier, clock } = inMemory();
    await frontier.add([...links('a.test', 2), ...links('b.test', 2)]);
    frontier.lease(9);
    const next = new SqliteFrontier(db, { clock });
    expect(next.recover()).toBe(2);
    expect(next.stats()).toMatchObject({ inFlight: 0, waiting: 4 });
    expect(next.recover()).toBe(0);
  });
});

describe('reports', () => {
  test('refused links are counted by reason with a few samples; outcomes and bytes are totalled', async () => {
    const { db, frontier, clock } = inMemory({ maxUrlsPerHost: 1 });
    await frontier.add(links('a.test', 1));
    const [request] = frontier.lease(1);
    if (request === undefined) throw new Error('nothing lent');
    const refusedSamples = Array.from({ length: 30 }, (_, n) => ({
      url: `http://x.test/${n}`,
      reason: 'scope.host' as const,
    }));
    const refused = { 'scope.host': 30 };
    const found = { links: links('a.test', 4), refused, refusedSamples, bytes: 10, savedBytes: 3 };
    frontier.finish([fetched(request, clock.now(), found)]);
    const rows = db
      .prepare<[], { reason: string; count: number; samples: string }>('SELECT * FROM refusal')
      .all();
    const counts = rows.map(({ reason, count, samples }) => [reason, count, JSON.parse(samples).length]);
    expect(counts).toEqual([
      ['limit.host', 3, 3],
      ['scope.host', 30, 20],
    ]);
    const total = db.prepare<[string], number>('SELECT value FROM counter WHERE name = ?').pluck();
    expect(['outcome.UPDATED', 'bytes', 'savedBytes'].map((name) => total.get(name))).toEqual([1, 10, 3]);
  });
});

function inMemory(policy: FrontierSetup['policy'] = {}) {
  const db = openMemoryDatabase();
  cleanups.push(() => db.close());
  const clock = virtualClock();
  return { db, clock, frontier: new SqliteFrontier(db, { clock, policy }) };
}
