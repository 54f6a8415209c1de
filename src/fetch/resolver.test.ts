import { describe, expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import { DnsResolver, type NameService } from './resolver.ts';

/** A clock that stands where it is put; nothing here waits. */
function clockAt(time: { now: number }): Clock {
  return { now: () => time.now, sleep: async () => {}, after: () => () => {} };
}

function failing(code: string): () => Promise<never> {
  return async () => {
    throw Object.assign(new Error(code), { code });
  };
}

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
});
