import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contains, parseIp, parseNetwork } from './ip.ts';

describe('parseIp', () => {
  test.each([
    ['0.0.0.0', 4, 0n],
    ['255.255.255.255', 4, 0xffff_ffffn],
    ['::', 6, 0n],
    ['::1', 6, 1n],
    ['[::1]', 6, 1n],
    ['1::', 6, 1n << 112n],
    ['::ffff:1.2.3.4', 6, 0xffff_0102_0304n],
    ['1:2:3:4:5:6:7:8', 6, 0x0001_0002_0003_0004_0005_0006_0007_0008n],
    ['1:2:3:4:5:6:1.2.3.4', 6, 0x0001_0002_0003_0004_0005_0006_0102_0304n],
  ])('%s', (text, version, value) => {
    expect(parseIp(text)).toEqual({ version, value });
  });

  test.each([
    '',
    '1',
    '127.1',
    '0177.0.0.1',
    '1.2.3.4.',
    '256.0.0.1',
    '::1%eth0',
    ':::',
    '1:2',
    'a.test',
    '[1.2.3.4',
  ])('%j is not an address', (text) => {
    expect(parseIp(text)).toBeNull();
  });

  test('reads every IPv6 address the URL parser writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        const hex = value.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
        const host = new URL(`http://[${hex.join(':')}]/`).hostname;
        expect(parseIp(host)).toEqual({ version: 6, value });
      }),
    );
  });
});

describe('networks', () => {
  test.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['fc00::/7', 'fdff::1', true],
    ['fc00::/7', 'fe00::1', false],
    ['127.0.0.1', '::ffff:127.0.0.1', false],
    ['0.0.0.0/0', '8.8.8.8', true],
  ])('%s contains %s: %s', (network, ip, expected) => {
    const [parsedNetwork, address] = [parseNetwork(network), parseIp(ip)];
    expect(parsedNetwork && address && contains(parsedNetwork, address)).toBe(expected);
  });

  test.each(['10.0.0.1/8', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/', 'fc00::1/7', 'x/8'])(
    '%s is malformed',
    (text) => {
      expect(parseNetwork(text)).toBeNull();
    },
  );
});
