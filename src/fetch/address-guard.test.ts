import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Names, recordingDial, stubResolver } from '../../test/support/public-names.ts';
import { answer, type RawServer, startRawServer } from '../../test/support/raw-server.ts';
import { systemClock } from '../clock.ts';
import type { FetchResult } from '../types.ts';
import { parseAllowList } from '../url/address.ts';
import { HttpDownloader } from './http.ts';
import { defaultFetchLimits } from './limits.ts';

interface DnsCase {
  readonly id: string;
  readonly host: string;
  readonly answers: readonly (readonly string[])[];
  readonly expect: string;
}

const cases = JSON.parse(readFileSync('test/fixtures/cases/ssrf.json', 'utf8')) as {
  dns: DnsCase[];
  redirects: { id: string; chain: string[] }[];
};

const publicIp = '93.184.216.34';
const alive = new AbortController().signal;
let server: RawServer;

beforeAll(async () => {
  server = await startRawServer({
    '/': answer('200 OK', {}, 'secret'),
    '/once': answer('200 OK', { Connection: 'close' }, 'once'),
    '/trick': answer('302 Found', { Location: 'http://pub.test\\@127.0.0.1/' }),
    '/decimal': answer('302 Found', { Location: 'http://2130706433/' }),
    '/hop': answer('302 Found', { Location: 'http://pub2.test/late' }),
    '/late': answer('302 Found', { Location: 'http://127.0.0.1/' }),
  });
});
afterAll(() => server.close());

interface Guarded {
  readonly get: (url: string) => Promise<FetchResult>;
  readonly dialled: string[];
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

function guarded(names: Names, allowed: readonly string[] = [], arrivesAt?: string): Guarded {
  const resolver = stubResolver(names);
  const dial = recordingDial(server.port, arrivesAt);
  const downloader = new HttpDownloader({
    userAgent: 'test/1',
    limits: defaultFetchLimits,
    allow: parseAllowList(allowed),
    resolver,
    dial,
    clock: systemClock,
    connectionsPerOrigin: 1,
  });
  const get = (url: string): Promise<FetchResult> => downloader.fetch({ url }, alive);
  return { get, dialled: dial.dialled, asked: resolver.asked, close: () => downloader.close() };
}

function addressesOf(dnsCase: DnsCase): string[] {
  if (dnsCase.host === 'many.test') return [...Array<string>(499).fill(publicIp), '10.0.0.1'];
  return dnsCase.answers.filter(([type]) => type !== 'CNAME').map(([, address]) => address as string);
}

describe('conformance: DNS answers', () => {
  test.each(cases.dns)('$id $host: $expect', async (dnsCase) => {
    const { get, dialled, close } = guarded({ [dnsCase.host]: addressesOf(dnsCase) });
    const result = await get(`http://${dnsCase.host}/`);
    if (dnsCase.expect.startsWith('connect')) {
      expect(result.kind).toBe('ok');
      expect(dialled).toEqual([publicIp]);
    } else {
      expect(result).toMatchObject({
        kind: 'failed',
        wasSent: false,
        reason: expect.stringMatching(/^safety\./),
      });
      expect(dialled).toEqual([]);
    }
    await close();
  });
});

describe('conformance: redirects and links to private addresses', () => {
  /** Path on pub.test whose answer is followed; null where a page's content names the target (test/sim/redirects.test.ts plays it). */
  const starts: Readonly<Record<string, string | null>> = {
    'ssrf-redirect-008': '/trick',
    'ssrf-redirect-009': '/decimal',
    'ssrf-redirect-010': null,
    'ssrf-redirect-011': null,
    'ssrf-redirect-012': null,
    'ssrf-redirect-014': null,
    'ssrf-redirect-015': '/hop',
  };

  test.each(cases.redirects)('$id $chain', async ({ id, chain }) => {
    const { get, dialled, close } = guarded({ 'pub.test': [publicIp], 'pub2.test': [publicIp] });
    const start = starts[id];
    const named = /http:\/\/(?:127|10)\.[\d.]+\//.exec(chain[0] ?? '')?.[0] ?? '';
    let url: string | null = start ? `http://pub.test${start}` : named;
    let last: FetchResult | null = null;
    while (url !== null) {
      last = await get(url);
      url = last.kind === 'redirect' ? last.location : null;
    }
    if (start === '/trick')
      expect(last).toMatchObject({ kind: 'http-error', head: { url: 'http://pub.test/@127.0.0.1/' } });
    else expect(last).toMatchObject({ kind: 'failed', reason: 'safety.private', wasSent: false });
    expect(new Set(dialled).size).toBeLessThanOrEqual(1);
    expect(dialled).not.toContain('127.0.0.1');
    await close();
  });
});

describe('conformance: bugs', () => {
  test('bug-107: a name that turns private between two connections is refused at the second', async () => {
    const { get, dialled, asked, close } = guarded({
      'rebind.test': (before) => [before === 0 ? publicIp : '127.0.0.1'],
    });
    expect((await get('http://rebind.test/once')).kind).toBe('ok');
    expect(await get('http://rebind.test/robots.txt')).toMatchObject({
      reason: 'safety.private',
      wasSent: false,
    });
    expect(dialled).toEqual([publicIp]);
    expect(asked).toHaveLength(2);
    await close();
  });

  test('bug-107: a connection kept alive is the one that was checked', async () => {
    const { get, dialled, asked, close } = guarded({
      'rebind.test': (before) => [before === 0 ? publicIp : '127.0.0.1'],
    });
    for (const path of ['/', '/', '/']) expect((await get(`http://rebind.test${path}`)).kind).toBe('ok');
    expect([dialled, asked]).toEqual([[publicIp], ['rebind.test']]);
    await close();
  });

  test.each([[[publicIp, '10.0.0.1']], [['2606:2800::1', '::1']], [['10.0.0.1', publicIp]]])(
    'bug-108: %j is refused as a whole',
    async (addresses) => {
      const { get, dialled, close } = guarded({ 'two.test': addresses });
      expect(await get('http://two.test/')).toMatchObject({ reason: 'safety.private' });
      expect(dialled).toEqual([]);
      await close();
    },
  );

  test('bug-109: IPv4 inside IPv6 is refused before anything is dialled', async () => {
    const { get, dialled, close } = guarded({});
    const bugs = JSON.parse(readFileSync('test/fixtures/cases/bugs-fetch.json', 'utf8')) as {
      id: string;
      input: { urls: string[] };
    }[];
    const urls = bugs.find(({ id }) => id === 'bug-109')?.input.urls ?? [];
    expect(urls).toHaveLength(6);
    for (const url of urls)
      expect(await get(url)).toMatchObject({ reason: 'safety.private', wasSent: false });
    expect(dialled).toEqual([]);
    await close();
  });

  test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::ffff:10.0.0.1', 'not an address'])(
    'bug-111: a public name for %s is refused',
    async (address) => {
      const { get, dialled, close } = guarded({ 'm.test': [address] });
      expect(await get('http://m.test/')).toMatchObject({ reason: 'safety.private', wasSent: false });
      expect(await get('https://m.test/')).toMatchObject({ reason: 'safety.private', wasSent: false });
      expect(dialled).toEqual([]);
      await close();
    },
  );
});

describe('the connection', () => {
  test('must have arrived where it was sent', async () => {
    const { get, dialled, close } = guarded({ 'pub.test': [publicIp] }, [], '127.0.0.1');
    const before = server.requests.length;
    expect(await get('http://pub.test/')).toMatchObject({ reason: 'safety.private', wasSent: true });
    expect(dialled).toEqual([publicIp]);
    expect(server.requests).toHaveLength(before);
    await close();
  });

  test('a refusal never tells the address', async () => {
    const { get, close } = guarded({ 'inside.test': ['10.11.12.13'] });
    expect(JSON.stringify(await get('http://inside.test/'))).not.toContain('10.11.12.13');
    await close();
  });

  test.each(['http://inside.test', 'http://127.0.0.1'])(
    'ssrf-other-004: a refusal of %s is the same whether its port is open or not',
    async (origin) => {
      const closed = await startRawServer({});
      await closed.close();
      const { get, dialled, close } = guarded({ 'inside.test': ['127.0.0.1'] });
      const [ofOpen, ofClosed] = [
        await get(`${origin}:${server.port}/`),
        await get(`${origin}:${closed.port}/`),
      ];
      expect(ofOpen).toMatchObject({ reason: 'safety.private', wasSent: false });
      expect({ ...ofClosed, startedAt: 0 }).toEqual({ ...ofOpen, startedAt: 0 });
      expect(dialled).toEqual([]);
      await close();
    },
  );

  test('goes to the next checked address when one does not answer, a few at most', async () => {
    const resolver = stubResolver({ 'pub.test': Array.from({ length: 9 }, (_, i) => `93.184.216.${i + 1}`) });
    const closed = await startRawServer({});
    await closed.close();
    const dial = recordingDial(closed.port);
    const { connectMs } = defaultFetchLimits;
    const options = { resolver, dial, allow: parseAllowList([]), clock: systemClock, connectMs };
    const downloader = new HttpDownloader({
      ...options,
      userAgent: 'test/1',
      limits: defaultFetchLimits,
      connectionsPerOrigin: 1,
    });
    const result = await downloader.fetch({ url: 'http://pub.test/' }, alive);
    expect(result).toMatchObject({
      kind: 'failed',
      reason: 'net.connect',
      detail: expect.stringContaining('ECONNREFUSED'),
      wasSent: true,
    });
    expect(dial.dialled).toEqual(['93.184.216.1', '93.184.216.2', '93.184.216.3', '93.184.216.4']);
    await downloader.close();
  });
});

describe('the allow list', () => {
  test.each([
    [['10.0.0.0/8'], 'http://inside.test/', true],
    [['10.0.0.0/8'], 'http://10.1.2.3/', true],
    [['10.1.2.4'], 'http://10.1.2.3/', false],
    [['10.1.2.4'], 'http://inside.test/', false],
    [['inside.test'], 'http://inside.test/', true],
    [['inside.test:8080'], 'http://inside.test/', false],
    [['inside.test:8080'], 'http://inside.test:8080/', true],
    [['inside.test'], 'http://other.test/', false],
    [['inside.test'], 'http://inside.test./', true],
    [['local.corp'], 'http://local.corp/', true],
    [['10.0.0.0/8'], 'http://local.corp/', false],
    [['meta.test'], 'http://meta.test/', false],
    [['meta.test', '169.254.169.254'], 'http://meta.test/', true],
    [['localhost'], 'http://localhost/', true],
    [['127.0.0.0/8'], 'http://localhost/', false],
  ])('%j and %s: %s', async (allowed, url, isOpen) => {
    const names: Names = {
      'inside.test': ['10.1.2.3'],
      'other.test': ['10.1.2.3'],
      'local.corp': ['10.1.2.3'],
      'meta.test': ['169.254.169.254'],
      localhost: ['127.0.0.1'],
    };
    const { get, dialled, close } = guarded(names, allowed);
    expect((await get(url)).kind).toBe(isOpen ? 'ok' : 'failed');
    expect(dialled).toHaveLength(isOpen ? 1 : 0);
    await close();
  });
});
