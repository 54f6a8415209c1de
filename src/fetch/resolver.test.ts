import { describe, expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Clock } from '../clock.ts';
import { DnsResolver, type NameService } from './resolver.ts';

/** A clock that stands where it is put, so no wait is ever over. */
function clockAt(time: { now: number }): Clock {
  return { now: () => time.now, sleep: () => new Promise(() => {}), after: () => () => {} };
}

function failing(code: string): () => Promise<never> {
  return async () => {
    throw Object.assign(new Error(code), { code });
  };
}

const unanswered = (): Promise<never> => new Promise(() => {});

/** Names that answer as told and count the questions. */
function names(parts: Partial<NameService>): NameService & { asked: number } {
  const service = {
    asked: 0,
    resolve4: async (host: string) => {
      service.asked += 1;
      return (parts.resolve4 ?? failing('ENODATA'))(host);
    },
    resolve6: parts.resolve6 ?? failing('ENODATA'),
    lookup: parts.lookup ?? failing('ENOTFOUND'),
  };
  return service;
}

describe('DnsResolver', () => {
  test('answers both families, IPv4 first', async () => {
    const service = names({
      resolve4: async () => [{ address: '192.0.2.1', ttl: 60 }],
      resolve6: async () => [{ address: '2001:db8::1', ttl: 60 }],
    });
    const addresses = await new DnsResolver(clockAt({ now: 0 }), service).resolve('a.test');
    expect(addresses.map(({ address, family }) => [address, family])).toEqual([
      ['192.0.2.1', 4],
      ['2001:db8::1', 6],
    ]);
  });

  test('one family is enough, whatever befell the other', async () => {
    const service = names({
      resolve4: failing('ETIMEOUT'),
      resolve6: async () => [{ address: '2001:db8::1', ttl: 1 }],
    });
    const addresses = await new DnsResolver(clockAt({ now: 0 }), service).resolve('a.test');
    expect(addresses.map(({ address }) => address)).toEqual(['2001:db8::1']);
  });

  test('asks once for all who wait, and again when the shortest TTL is over', async () => {
    const time = { now: 0 };
    const service = names({
      resolve4: async () => [
        { address: '192.0.2.1', ttl: 300 },
        { address: '192.0.2.2', ttl: 60 },
      ],
    });
    const resolver = new DnsResolver(clockAt(time), service);
    await Promise.all([resolver.resolve('a.test'), resolver.resolve('a.test')]);
    time.now = 59_999;
    await resolver.resolve('a.test');
    expect(service.asked).toBe(1);
    time.now = 60_000;
    await resolver.resolve('a.test');
    expect(service.asked).toBe(2);
  });

  test.each([
    [0, 10_000],
    [1_000_000, 600_000],
  ])('a TTL of %i s counts as %i ms', async (ttl, keptMs) => {
    const time = { now: 0 };
    const service = names({ resolve4: async () => [{ address: '192.0.2.1', ttl }] });
    const resolver = new DnsResolver(clockAt(time), service);
    for (const now of [0, keptMs - 1, keptMs]) {
      time.now = now;
      await resolver.resolve('a.test');
    }
    expect(service.asked).toBe(2);
  });

  test('a name DNS does not know is looked for in /etc/hosts', async () => {
    const service = names({
      resolve4: failing('ENOTFOUND'),
      lookup: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    const addresses = await new DnsResolver(clockAt({ now: 0 }), service).resolve('wiki.corp');
    expect(addresses).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  test('a server that does not answer is a failure, not an unknown name; it is asked again next time', async () => {
    const service = names({
      resolve4: failing('ETIMEOUT'),
      lookup: async () => [{ address: '10.0.0.1', family: 4 }],
    });
    const resolver = new DnsResolver(clockAt({ now: 0 }), service);
    await expect(resolver.resolve('a.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    await expect(resolver.resolve('a.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(service.asked).toBe(2);
  });

  test.each([
    [
      'IPv6',
      { resolve4: async () => [{ address: '192.0.2.1', ttl: 300 }], resolve6: unanswered },
      '192.0.2.1',
    ],
    [
      'IPv4',
      { resolve4: unanswered, resolve6: async () => [{ address: '2001:db8::1', ttl: 300 }] },
      '2001:db8::1',
    ],
  ])('a name server that does not answer for %s holds up nothing for long', async (_, parts, address) => {
    const clock = virtualClock();
    const service = names(parts);
    const resolver = new DnsResolver(clock, service);
    const startedAt = clock.now();
    const addresses = await clock.until(resolver.resolve('a.test'));
    expect(addresses.map((one) => one.address)).toEqual([address]);
    expect(clock.now() - startedAt).toBe(1000);
    // What is half an answer is asked for again soon, though not at once.
    await clock.advance(9_999);
    await resolver.resolve('a.test');
    expect(service.asked).toBe(1);
    await clock.advance(1);
    await clock.until(resolver.resolve('a.test'));
    expect(service.asked).toBe(2);
  });

  test('a huge answer is given whole, and not remembered', async () => {
    const huge = Array.from({ length: 4000 }, (_, i) => ({
      address: `192.0.${i >> 8}.${i & 255}`,
      ttl: 300,
    }));
    const service = names({ resolve4: async () => huge });
    const resolver = new DnsResolver(clockAt({ now: 0 }), service);
    for (const asked of [1, 2]) {
      expect(await resolver.resolve('a.test')).toHaveLength(4000);
      expect(service.asked).toBe(asked);
    }
  });
});
