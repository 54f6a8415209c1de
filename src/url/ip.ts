/** IP addresses as numbers, and networks of them. Pure; knows nothing of which ones are safe. */
import { isIPv4, isIPv6 } from 'node:net';

export interface IpAddress {
  readonly version: 4 | 6;
  /** 32 or 128 bits, most significant first. */
  readonly value: bigint;
}

export interface Network {
  readonly version: 4 | 6;
  readonly base: bigint;
  /** Length of the prefix in bits. */
  readonly prefix: number;
}

/**
 * Reads dotted-quad IPv4 (no other spelling: `0177.0.0.1` is not an address here) or IPv6 (RFC 4291 §2.2, with or
 * without brackets). Null for anything else, zone ids included.
 */
export function parseIp(text: string): IpAddress | null {
  if (isIPv4(text)) return { version: 4, value: quad(text) };
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (!isIPv6(inner) || inner.includes('%')) return null;
  return { version: 6, value: parseIpv6(inner) };
}

/** Reads `address/prefix`, or a bare address as a network of one. Null when malformed or when bits are set beyond the prefix. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...rest] = text.split('/');
  const ip = parseIp(address);
  if (ip === null || rest.length > 0) return null;
  const width = widthOf(ip.version);
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const prefix = length === undefined ? width : Number(length);
  if (prefix > width) return null;
  const network: Network = { version: ip.version, base: ip.value, prefix };
  return (ip.value >> BigInt(width - prefix)) << BigInt(width - prefix) === ip.value ? network : null;
}

/** True when the address lies in the network. IPv4 and IPv6 never match each other, IPv4-mapped addresses included. */
export function contains(network: Network, ip: IpAddress): boolean {
  if (network.version !== ip.version) return false;
  const shift = BigInt(widthOf(ip.version) - network.prefix);
  return ip.value >> shift === network.base >> shift;
}

function widthOf(version: 4 | 6): number {
  return version === 4 ? 32 : 128;
}

function quad(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** `text` is known to be well formed, so at most one `::` and at most eight groups. */
function parseIpv6(text: string): bigint {
  const [left = '', right] = text.split('::');
  const head = groups(left);
  const tail = groups(right ?? '');
  const zeros = Array<bigint>(8 - head.length - tail.length).fill(0n);
  return [...head, ...zeros, ...tail].reduce((value, group) => (value << 16n) | group, 0n);
}

function groups(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [BigInt(`0x${part}`)];
    const value = quad(part);
    return [value >> 16n, value & 0xffffn];
  });
}
