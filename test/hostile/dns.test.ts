/**
 * What name servers do to a crawler: the real downloader and c-ares ask one on this machine, which answers as a row
 * says. Connections are noted and led to a local web server, so it is seen which addresses were dialled.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { HttpDownloader } from '../../src/fetch/http.ts';
import { defaultFetchLimits } from '../../src/fetch/limits.ts';
import { DnsResolver, namesOf, systemCares } from '../../src/fetch/resolver.ts';
import type { FetchResult } from '../../src/types.ts';
import { parseAllowList } from '../../src/url/address.ts';
import {
  type DnsQuestion,
  type DnsRecord,
  type DnsScript,
  message,
  startDnsServer,
} from '../support/dns-server.ts';
import { recordingDial } from '../support/public-names.ts';
import { answer, type RawServer, startRawServer } from '../support/raw-server.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const publicIp = '93.184.216.34';
const publicIp6 = '2606:2800:220:1::1';
const metadataIp = '169.254.169.254';
let web: RawServer;

beforeAll(async () => {
  web = await startRawServer({ '*': answer('200 OK', { Connection: 'close' }, 'here') });
});
afterAll(() => web.close());

/** Records of the type that is asked for. */
function records(...all: readonly DnsRecord[]): DnsScript {
  return ({ type }) => ({ records: all.filter((record) => record.type === type || record.type === 'CNAME') });
}

function addresses(...all: readonly string[]): DnsScript {
  return records(
    ...all.map((data) => ({ type: data.includes(':') ? ('AAAA' as const) : ('A' as const), data })),
  );
}

/** A chain of so many aliases from h.test to a name with this address. */
function chain(length: number, address: string): DnsScript {
  const names = Array.from({ length: length + 1 }, (_, i) => (i === 0 ? 'h.test' : `alias${i}.test`));
  const aliases = names
    .slice(1)
    .map((data, i) => ({ type: 'CNAME' as const, data, owner: names[i] as string }));
  return records(...aliases, { type: 'A', data: address, owner: names[length] as string });
}

function many(count: number, last: string): string[] {
  return [...Array.from({ length: count - 1 }, (_, i) => `93.184.${i >> 8}.${i & 255}`), last];
}

function bytes(make: (question: DnsQuestion) => Uint8Array): DnsScript {
  return (question) => ({ bytes: make(question) });
}

/** An answer whose only record is named by a pointer to itself. */
function pointerLoop(question: DnsQuestion): Buffer {
  const whole = message(question, [{ type: 'A', data: publicIp }]);
  const at = 12 + question.bytes.length;
  whole.writeUInt16BE(0xc000 | at, at);
  return whole;
}

interface Session {
  readonly get: () => Promise<FetchResult>;
  readonly dialled: readonly string[];
  readonly questions: readonly string[];
  /** Lets the names be asked for again. */
  readonly passTtl: () => Promise<void>;
}

async function withDns(
  script: DnsScript | null,
  run: (session: Session) => Promise<void>,
  connectMs = 5_000,
): Promise<void> {
  const server = await startDnsServer(script === null ? {} : { 'h.test': script });
  const cares = systemCares();
  cares.setServers([server.address]);
  const ttlClock = virtualClock();
  // getaddrinfo asks the machine's own servers and no others: here it stands for an empty /etc/hosts.
  const lookup = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
  const dial = recordingDial(web.port);
  const downloader = new HttpDownloader({
    userAgent: 'test/1',
    limits: { ...defaultFetchLimits, connectMs },
    allow: parseAllowList([]),
    resolver: new DnsResolver({ ...systemClock, now: ttlClock.now }, { ...namesOf(cares), lookup }),
    dial,
    clock: systemClock,
    connectionsPerOrigin: 1,
  });
  const get = (): Promise<FetchResult> =>
    downloader.fetch({ url: 'http://h.test/' }, new AbortController().signal);
  try {
    const passTtl = (): Promise<void> => ttlClock.advance(600_000);
    await run({ get, dialled: dial.dialled, questions: server.questions, passTtl });
  } finally {
    cares.cancel();
    await downloader.close();
    await server.close();
  }
}

describe('a name that leads to public addresses only is fetched from the first of them', () => {
  const rows: readonly (readonly [string, DnsScript, string])[] = [
    ['one address', addresses(publicIp), publicIp],
    ['IPv6 only', addresses(publicIp6), publicIp6],
    ['both families', addresses(publicIp6, publicIp), publicIp],
    ['a TTL of 0', records({ type: 'A', data: publicIp, ttl: 0 }), publicIp],
    ['the longest TTL', records({ type: 'A', data: publicIp, ttl: 0x7fffffff }), publicIp],
    ['an alias', chain(1, publicIp), publicIp],
    ['300 aliases', chain(300, publicIp), publicIp],
    ['3,500 addresses', addresses(...many(3500, publicIp)), '93.184.0.0'],
    [
      'IPv6 refused',
      (q, n) => (q.type === 'A' ? addresses(publicIp)(q, n) : { records: [], rcode: 'REFUSED' }),
      publicIp,
    ],
    [
      'IPv6 broken',
      (q, n) => (q.type === 'A' ? addresses(publicIp)(q, n) : { bytes: Buffer.of(1, 2, 3) }),
      publicIp,
    ],
    ['IPv6 never answered', (q, n) => (q.type === 'A' ? addresses(publicIp)(q, n) : null), publicIp],
    ['IPv4 never answered', (q, n) => (q.type === 'A' ? null : addresses(publicIp6)(q, n)), publicIp6],
    [
      'IPv4 failing',
      (q, n) => (q.type === 'A' ? { records: [], rcode: 'SERVFAIL' } : addresses(publicIp6)(q, n)),
      publicIp6,
    ],
    ['a public IPv4 address mapped into IPv6', addresses(`::ffff:${publicIp}`), `::ffff:5db8:d822`],
  ];

  test.each(rows)('%s', async (_, script, dialled) => {
    await withDns(script, async (session) => {
      expect(await session.get()).toMatchObject({ kind: 'ok' });
      expect(
        session.dialled.map(
          (address) => new URL(`http://${address.includes(':') ? `[${address}]` : address}`).hostname,
        ),
      ).toEqual([dialled.includes(':') ? `[${dialled}]` : dialled]);
    });
  });
});

describe('a name with one address that is not public is refused as a whole, and nothing is dialled', () => {
  const rows: readonly (readonly [string, DnsScript])[] = [
    ['loopback', addresses('127.0.0.1')],
    ['private', addresses('10.0.0.1')],
    ['metadata', addresses(metadataIp)],
    ['unspecified', addresses('0.0.0.0')],
    ['loopback of IPv6', addresses('::1')],
    ['link-local of IPv6', addresses('fe80::1')],
    ['unique local of IPv6', addresses('fd00::1')],
    ['loopback mapped into IPv6', addresses('::ffff:127.0.0.1')],
    ['metadata mapped into IPv6', addresses(`::ffff:${metadataIp}`)],
    ['private behind NAT64', addresses('64:ff9b::10.0.0.1')],
    ['public, then private', addresses(publicIp, '192.168.0.1')],
    ['private, then public', addresses('192.168.0.1', publicIp)],
    ['public by IPv4, private by IPv6', addresses(publicIp, 'fd00::1')],
    ['private by IPv4, public by IPv6', addresses('172.16.0.1', publicIp6)],
    ['an alias of a private name', chain(1, '192.168.0.9')],
    ['300 aliases of a private name', chain(300, '10.0.0.1')],
    [
      'a record of another name beside its own',
      records({ type: 'A', data: publicIp }, { type: 'A', data: '10.0.0.1', owner: 'other.test' }),
    ],
    ['3,500 addresses, the last private', addresses(...many(3500, '10.0.0.1'))],
  ];

  test.each(rows)('%s', async (_, script) => {
    await withDns(script, async ({ get, dialled }) => {
      const result = await get();
      expect(result).toMatchObject({ kind: 'failed', reason: 'safety.private', wasSent: false });
      expect(JSON.stringify(result)).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
      expect(dialled).toEqual([]);
    });
  });
});

describe('a name without an address fails as safety.dns, and nothing is dialled', () => {
  const rows: readonly (readonly [string, DnsScript | null, string])[] = [
    ['NXDOMAIN', null, 'ENOTFOUND'],
    ['no records', addresses(), 'ENOTFOUND'],
    [
      'aliases in a circle',
      records({ type: 'CNAME', data: 'b.test' }, { type: 'CNAME', owner: 'b.test', data: 'h.test' }),
      'ENOTFOUND',
    ],
    ['an alias that leads nowhere', records({ type: 'CNAME', data: 'b.test' }), 'ENOTFOUND'],
    ['SERVFAIL', () => ({ records: [], rcode: 'SERVFAIL' }), 'ESERVFAIL'],
    ['REFUSED', () => ({ records: [], rcode: 'REFUSED' }), 'EREFUSED'],
    ['NOTIMP', () => ({ records: [], rcode: 'NOTIMP' }), 'ENOTIMP'],
    ['FORMERR', () => ({ records: [], rcode: 'FORMERR' }), 'EFORMERR'],
    ['garbage', bytes(() => Buffer.alloc(400, 0xa5)), 'EBADRESP'],
    ['garbage under the right id', bytes((q) => message(q, []).fill(0xff, 4)), 'EBADRESP'],
    ['a name that points to itself', bytes(pointerLoop), 'EBADRESP'],
    [
      'an answer cut short',
      bytes((q) => message(q, [{ type: 'A', data: publicIp }]).subarray(0, -2)),
      'EBADRESP',
    ],
    ['more records announced than sent', bytes((q) => message(q, []).fill(0xff, 6, 8)), 'EBADRESP'],
  ];

  test.each(rows)('%s', async (_, script, code) => {
    await withDns(script, async ({ get, dialled }) => {
      const detail = expect.stringContaining(code);
      expect(await get()).toMatchObject({ kind: 'failed', reason: 'safety.dns', detail, wasSent: false });
      expect(dialled).toEqual([]);
    });
  });
});

describe('an answer that never comes is given up at the limit of connecting', () => {
  const rows: readonly (readonly [string, DnsScript])[] = [
    ['silence', () => null],
    ['an empty packet', bytes(() => Buffer.alloc(0))],
    [
      'an answer under another id',
      bytes((q) => message({ ...q, id: q.id ^ 1 }, [{ type: 'A', data: publicIp }])),
    ],
    [
      'an answer to another question',
      bytes((q) =>
        message({ ...q, bytes: Buffer.from(q.bytes).fill('x', 1, 2) }, [{ type: 'A', data: publicIp }]),
      ),
    ],
    ['a truncated answer, and silence by TCP', (q) => (q.isTcp ? null : { bytes: message(q, [], 0x0200) })],
  ];

  test.each(rows)('%s', async (_, script) => {
    const connectMs = 200;
    await withDns(
      script,
      async ({ get, dialled }) => {
        const detail = expect.stringContaining(`not resolved after ${connectMs} ms`);
        expect(await get()).toMatchObject({ kind: 'failed', reason: 'safety.dns', detail, wasSent: false });
        expect(dialled).toEqual([]);
      },
      connectMs,
    );
  });

  test('what comes after it serves the next request', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: DnsScript = async (question, asked) => {
      await held;
      return addresses(publicIp)(question, asked);
    };
    await withDns(
      slow,
      async ({ get, dialled, questions }) => {
        expect(await get()).toMatchObject({ kind: 'failed', reason: 'safety.dns', wasSent: false });
        expect(dialled).toEqual([]);
        release();
        expect(await get()).toMatchObject({ kind: 'ok' });
        expect([dialled, questions]).toEqual([[publicIp], ['h.test A', 'h.test AAAA']]);
      },
      1_000,
    );
  });
});

describe('a name that changes between two look-ups', () => {
  const turns: readonly (readonly [string, string])[] = [
    ['loopback', '127.0.0.1'],
    ['metadata', metadataIp],
    ['private IPv6', 'fd00::1'],
  ];

  test.each(turns)('is refused once it leads to %s', async (_, turned) => {
    const rebinding: DnsScript = (question, asked) =>
      addresses(asked === 0 ? publicIp : turned)(question, asked);
    await withDns(rebinding, async ({ get, dialled, questions, passTtl }) => {
      expect(await get()).toMatchObject({ kind: 'ok' });
      // One question for each family: nobody asked again between the check and the connection.
      expect(questions).toEqual(['h.test A', 'h.test AAAA']);
      await passTtl();
      expect(await get()).toMatchObject({ kind: 'failed', reason: 'safety.private', wasSent: false });
      expect(dialled).toEqual([publicIp]);
    });
  });

  test('is connected to at the address it has then', async () => {
    const moving: DnsScript = (question, asked) => addresses(`93.184.216.${asked + 1}`)(question, asked);
    await withDns(moving, async ({ get, dialled, passTtl }) => {
      for (const _ of [1, 2]) {
        expect(await get()).toMatchObject({ kind: 'ok' });
        await passTtl();
      }
      expect(dialled).toEqual(['93.184.216.1', '93.184.216.2']);
    });
  });

  test('with a TTL of 0 is not asked for at every connection, nor turned by it', async () => {
    const rebinding: DnsScript = ({ type }, asked) => ({
      records: type === 'A' ? [{ type, data: asked === 0 ? publicIp : '127.0.0.1', ttl: 0 }] : [],
    });
    await withDns(rebinding, async ({ get, dialled, questions }) => {
      for (const _ of [1, 2, 3]) expect(await get()).toMatchObject({ kind: 'ok' });
      expect([dialled, questions.length]).toEqual([[publicIp, publicIp, publicIp], 2]);
    });
  });
});
