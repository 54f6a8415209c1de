import { expect, test } from 'vitest';
import { found, own, type WebWorld, webWorld } from '../../test/support/web-world.ts';
import type { SearchResult } from '../search/search-index.ts';
import { MOST_REQUESTS } from './client-limit.ts';

const ask = (world: WebWorld, path = '/?q=a', from?: string) =>
  world.get(path, from === undefined ? own : { ...own, 'x-forwarded-for': from });

async function exhaust(world: WebWorld, path?: string, from?: string): Promise<void> {
  for (let n = 0; n < MOST_REQUESTS; n++) expect((await ask(world, path, from)).status).toBe(200);
}

test('searches, snapshots and metrics together are limited, and told when to go on', async () => {
  const world = webWorld();
  await exhaust(world);
  for (const path of ['/', '/?q=a', '/api/v1/search?q=a', '/cache/7', '/cache/7/raw', '/metrics']) {
    const { status, header } = await ask(world, path);
    expect([path, status]).toEqual([path, 429]);
    expect(Number(header('retry-after'))).toBeGreaterThan(0);
    expect(Number(header('retry-after'))).toBeLessThanOrEqual(10);
  }
  expect(world.asked.length).toBe(MOST_REQUESTS);
  expect((await ask(world, '/healthz')).status).toBe(200);
});

test('searches that take long are fewer, and those of others are not', async () => {
  let now = 0;
  const search = (): SearchResult => {
    now += 500;
    return found([]);
  };
  const world = webWorld({ search, now: () => now, serve: { baseUrl: 'https://search.example.org/' } });
  const statuses: number[] = [];
  for (let n = 0; n < 10; n++) statuses.push((await ask(world, '/?q=a', '192.0.2.1')).status);
  expect(statuses).toEqual([...Array(8).fill(200), 429, 429]);
  expect((await ask(world, '/?q=a', '192.0.2.2')).status).toBe(200);
});

test('in a while everything is answered again', async () => {
  let now = 0;
  const world = webWorld({ now: () => now });
  await exhaust(world);
  expect((await ask(world)).status).toBe(429);
  now = 10_000;
  expect((await ask(world)).status).toBe(200);
});

test('without a proxy X-Forwarded-For is only what somebody wrote', async () => {
  const world = webWorld();
  await exhaust(world, '/', '192.0.2.1');
  expect((await ask(world, '/', '192.0.2.2')).status).toBe(429);
});

test.each([
  ['192.0.2.1', '192.0.2.2', 200],
  // What stands before the last address came from the client.
  ['192.0.2.1', '192.0.2.2, 192.0.2.1', 429],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', 429],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 200],
  ['not an address', 'nor this', 429],
])('behind a proxy %s used up leaves %s with %d', async (first, second, status) => {
  const world = webWorld({ serve: { baseUrl: 'https://search.example.org/' } });
  await exhaust(world, '/', first);
  expect((await ask(world, '/', second)).status).toBe(status);
});
