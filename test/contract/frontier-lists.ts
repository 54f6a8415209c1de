/** The frontier's contract: sitemaps and feeds, and what they say of pages (R25). */
import { describe, expect, test } from 'vitest';
import type { Frontier } from '../../src/frontier/frontier.ts';
import { defaultFrontierPolicy } from '../../src/frontier/policy.ts';
import type { CrawlRequest } from '../../src/types.ts';
import { fetched, link } from '../support/outcomes.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import {
  DAY_MS,
  type FrontierFactory,
  leaseOne,
  MINUTE_MS,
  openFrontier,
  SECOND_MS,
  urlsOf,
} from './frontier-setup.ts';

const PAGE = 'http://a.test/page';

export function listContract(create: FrontierFactory): void {
  // A rule without half measures, so that what is believed can be told from what is lent.
  const refresh = { ...defaultFrontierPolicy.refresh, kind: 'adaptive' as const };
  const open = () => openFrontier(create, { delayMs: 0, refresh });

  describe('lists', () => {
    test('a sitemap is known as one, and stays one', async () => {
      const parts = await open();
      await parts.frontier.add([link('http://a.test/map.xml', { kind: 'sitemap' })]);
      await parts.frontier.add([link('http://a.test/map.xml')]);
      expect(await leaseOne(parts.frontier)).toMatchObject({ record: { kind: 'sitemap' } });
      const again = await parts.restart();
      expect(await again.find('http://a.test/map.xml')).toMatchObject({ kind: 'sitemap' });
    });

    test('a page that is not indexed becomes the sitemap it is named as, at once; an indexed one does not', async () => {
      const { frontier, clock } = await open();
      await frontier.add([link('http://a.test/map'), link(PAGE)]);
      await visit(frontier, clock, DAY_MS, { contentHash: null, state: 'blocked' });
      await visit(frontier, clock, DAY_MS);
      await frontier.add([link('http://a.test/map', { kind: 'sitemap' }), link(PAGE, { kind: 'sitemap' })]);
      const due = await frontier.lease(5);
      expect(due.map(({ record }) => [record.url, record.kind])).toEqual([['http://a.test/map', 'sitemap']]);
    });

    test('a visit may find that a list is a page', async () => {
      const { frontier, clock } = await open();
      await frontier.add([link('http://a.test/blog', { kind: 'feed' })]);
      await visit(frontier, clock, DAY_MS, { kind: 'page' });
      expect(await frontier.find('http://a.test/blog')).toMatchObject({ kind: 'page' });
    });

    test('a list takes no room from the pages of its host, nor the other way round', async () => {
      const { frontier } = await openFrontier(create, { maxUrlsPerHost: 3 });
      const pages = Array.from({ length: 4 }, (_, n) => link(`http://a.test/${n}`));
      const map = link('http://a.test/sitemap.xml', { kind: 'sitemap' });
      expect(await frontier.add([map, ...pages])).toEqual({ added: 4, known: 0, refused: 1 });
      expect(await frontier.add([link('http://a.test/feed', { kind: 'feed' })])).toMatchObject({ added: 1 });
      expect(await frontier.add([...pages, map])).toEqual({ added: 0, known: 4, refused: 1 });
    });

    test('of one host so many feeds are read and no more; pages are not held up', async () => {
      const { frontier } = await open();
      const feeds = Array.from({ length: 25 }, (_, n) => link(`http://a.test/feed/${n}`, { kind: 'feed' }));
      expect(await frontier.add(feeds)).toEqual({ added: 20, known: 0, refused: 5 });
      expect(await frontier.add([...feeds, link(PAGE)])).toEqual({ added: 1, known: 20, refused: 5 });
    });
  });

  describe('announced changes, which make a page due at once or not at all under `adaptive`', () => {
    test('are noted and not acted upon while the host has not been proved right', async () => {
      const { frontier, clock } = await open();
      await frontier.add([link(PAGE)]);
      await visit(frontier, clock, DAY_MS);
      await clock.advance(MINUTE_MS);
      await announce(frontier, clock.now());
      expect(await frontier.lease(1)).toEqual([]);
    });

    test('of a host that has been right make the page due, before what has fallen due by itself since', async () => {
      const { frontier, clock } = await open();
      await proveRight(frontier, clock);
      await frontier.add([link('http://a.test/other')]);
      await visit(frontier, clock, SECOND_MS);
      await clock.advance(MINUTE_MS);
      await announce(frontier, clock.now());
      expect(urlsOf(await frontier.lease(1))).toEqual([PAGE]);
    });

    test('older than the last visit change nothing', async () => {
      const { frontier, clock } = await open();
      await proveRight(frontier, clock);
      const { fetchedAt } = (await frontier.find(PAGE)) ?? { fetchedAt: 0 };
      await clock.advance(MINUTE_MS);
      await announce(frontier, fetchedAt ?? 0);
      expect(await frontier.lease(1)).toEqual([]);
    });

    test('and the record of the host survive a restart', async () => {
      const parts = await open();
      const { clock } = parts;
      await proveRight(parts.frontier, clock);
      const frontier = await parts.restart();
      await clock.advance(MINUTE_MS);
      await announce(frontier, clock.now());
      expect(urlsOf(await (await parts.restart()).lease(1))).toEqual([PAGE]);
    });

    test('of a host that turns to lies are soon ignored', async () => {
      const { frontier, clock } = await open();
      await proveRight(frontier, clock);
      let believed = 0;
      for (let round = 0; round < 100; round++) {
        await clock.advance(MINUTE_MS);
        await announce(frontier, clock.now());
        if ((await frontier.nextReadyAt()) === null || ((await frontier.nextReadyAt()) ?? 0) > clock.now())
          break;
        await revisit(frontier, clock, false);
        believed++;
      }
      expect(believed).toBeGreaterThan(0);
      expect(believed).toBeLessThan(30);
    });
  });

  describe('pushed changes', () => {
    const push = (frontier: Frontier, url: string, lastmodAt: number) =>
      frontier.add([link(url, { depth: 1, priority: 50, lastmodAt, isPushed: true })]);

    test('make a page due whatever its host has announced before, and wherever it stands', async () => {
      const { frontier, clock } = await open();
      const gone = 'http://a.test/gone';
      await frontier.add([link(PAGE), link(gone)]);
      await visit(frontier, clock, DAY_MS);
      await visit(frontier, clock, DAY_MS, { state: 'gone', contentHash: null });
      await clock.advance(5 * MINUTE_MS);
      expect(await frontier.lease(2)).toEqual([]);
      for (const url of [PAGE, gone]) await push(frontier, url, clock.now());
      expect(urlsOf(await frontier.lease(2))).toEqual([PAGE, gone]);
    });

    test('do so five minutes after its last visit, not before; older ones change nothing', async () => {
      const { frontier, clock } = await open();
      await frontier.add([link(PAGE)]);
      await visit(frontier, clock, DAY_MS);
      await push(frontier, PAGE, clock.now());
      expect(await frontier.nextReadyAt()).toBe(clock.now() + DAY_MS);
      await clock.advance(MINUTE_MS);
      await push(frontier, PAGE, clock.now());
      expect(await frontier.nextReadyAt()).toBe(clock.now() + 4 * MINUTE_MS);
    });

    test('bring a page that waits for its first visit to the front, and it stays there', async () => {
      const { frontier, clock } = await open();
      await frontier.add(Array.from({ length: 5 }, (_, n) => link(`http://a.test/${n}`, { depth: 2 })));
      await push(frontier, 'http://a.test/4', clock.now());
      await frontier.add([link('http://a.test/4')]);
      expect(urlsOf(await frontier.lease(1))).toEqual(['http://a.test/4']);
    });
  });

  describe('key files', () => {
    const KEY_FILE = 'http://a.test/key.txt#indexnow';
    const ask = (frontier: Frontier) => frontier.add([link(KEY_FILE, { kind: 'key' })], { waits: false });

    test('are visited when they are asked for, before what is due, and never by themselves', async () => {
      const { frontier, clock } = await open();
      await ask(frontier);
      const request = await leaseOne(frontier);
      expect(request.record).toMatchObject({ url: KEY_FILE, kind: 'key' });
      await frontier.finish([fetched(request, clock.now())]);
      expect(await frontier.nextReadyAt()).toBeNull();
      await frontier.add([link(PAGE)]);
      await visit(frontier, clock, MINUTE_MS);
      await clock.advance(DAY_MS);
      for (let times = 0; times < 2; times++) await ask(frontier);
      expect(urlsOf(await frontier.lease(3))).toEqual([KEY_FILE, PAGE]);
    });

    test('of one host are so many and no more', async () => {
      const { frontier } = await open();
      const files = Array.from({ length: 1_010 }, (_, n) =>
        link(`http://a.test/${n}.txt#indexnow`, { kind: 'key' }),
      );
      expect(await frontier.add(files, { waits: false })).toMatchObject({ added: 1_000, refused: 10 });
    });
  });
}

/** A first visit of what comes next; it is due again after `ms`. */
async function visit(
  frontier: Frontier,
  clock: VirtualClock,
  ms: number,
  changes: Partial<CrawlRequest['record']> = {},
): Promise<void> {
  const request = await leaseOne(frontier);
  const now = clock.now();
  const outcome = fetched(request, now, { nextVisitAt: now + ms });
  const found = { contentHash: 'a', lookedAt: now, intervalMs: ms, ...changes };
  await frontier.finish([{ ...outcome, record: { ...outcome.record, ...found } }]);
}

/** A later visit that found the page changed or not; it is due again in a day. */
async function revisit(frontier: Frontier, clock: VirtualClock, isChanged: boolean): Promise<void> {
  const request = await leaseOne(frontier);
  const outcome = fetched(request, clock.now(), {
    outcome: isChanged ? 'UPDATED' : 'NOT_MODIFIED',
    nextVisitAt: clock.now() + DAY_MS,
  });
  const changes = outcome.record.changes + (isChanged ? 1 : 0);
  const record = { ...outcome.record, changes, lookedAt: clock.now(), intervalMs: DAY_MS };
  await frontier.finish([{ ...outcome, record }]);
}

/** A sitemap says that the page changed at an instant. */
async function announce(frontier: Frontier, lastmodAt: number): Promise<void> {
  await frontier.add([link(PAGE, { depth: 1, lastmodAt })]);
}

/** Ten announced changes that were true, ten days of silence that were too. */
async function proveRight(frontier: Frontier, clock: VirtualClock): Promise<void> {
  await frontier.add([link(PAGE)]);
  await visit(frontier, clock, DAY_MS);
  for (let day = 0; day < 20; day++) {
    await clock.advance(DAY_MS);
    if (day % 2 === 0) await announce(frontier, clock.now());
    await revisit(frontier, clock, day % 2 === 0);
  }
}
