/**
 * Which addresses and URLs may be connected to at all (R15). Pure: it judges what is written in a URL and what a
 * resolver answered; `fetch/address-guard.ts` applies it to every connection. Only what the IANA special-purpose
 * registries (RFC 6890) leave globally reachable passes, and what the allow list names. There is no off switch
 * (docs/decisions/0003-address-guard.md).
 */
import { UserError } from '../errors.ts';
import type { ReasonCode } from '../reasons.ts';
import { contains, type IpAddress, type Network, parseIp, parseNetwork } from './ip.ts';

/**
 * 'public' when the address may be connected to by anybody, else the kind it is refused for: loopback, private,
 * link-local, cgnat, multicast, metadata, …; `mapped-…` and `nat64-…` when the kind is that of the IPv4 address
 * inside; 'invalid' when it is not an address. Takes dotted-quad IPv4 and IPv6 with or without brackets.
 */
export function classifyAddress(ip: string): string {
  const address = parseIp(ip);
  if (address !== null) return kindOf(address);
  // A zone id only means something on this machine's own links (RFC 4007 §6).
  return parseIp(ip.replace(/%[^\]]*/, '')) === null ? 'invalid' : 'link-local';
}

/**
 * Judges a URL before anything is resolved: scheme, port, host form, literal addresses in every disguise WHATWG
 * parsing undoes, names that never mean a public host. On success `url` is the parsed spelling without fragment and
 * without credentials, which are never sent.
 */
export function checkUrl(
  url: string,
  allow: AllowList = emptyAllowList,
): { ok: true; url: string } | { ok: false; reason: ReasonCode } {
  if (!URL.canParse(url)) return { ok: false, reason: 'safety.host' };
  const parsed = new URL(url);
  const reason = refusalOf(parsed, allow);
  if (reason !== null) return { ok: false, reason };
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  return { ok: true, url: parsed.href };
}

/** The same judgement for a URL already parsed; null when nothing speaks against connecting to it. */
export function refusalOf(url: URL, allow: AllowList): ReasonCode | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'safety.scheme';
  const port = portOf(url);
  const host = bareHost(url.hostname);
  if (foreignPorts.has(port) && !namesPort(allow, host, port)) return 'safety.port';
  const ip = parseIp(host);
  if (ip !== null) {
    return kindOf(ip) === 'public' || allowsAddress(allow, host, port) ? null : 'safety.private';
  }
  if (allowsHost(allow, host, port)) return null;
  if (isLocalName(host)) return 'safety.private';
  return isPublicName(host) ? null : 'safety.host';
}

/** Port a URL leads to, its scheme's default included. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Addresses, networks and host names opened by the operator: each opens exactly what it names, nothing beside it. */
export interface AllowList {
  readonly networks: readonly AllowedNetwork[];
  readonly hosts: readonly AllowedHost[];
}

interface AllowedNetwork {
  readonly network: Network;
  /** Null: every port. */
  readonly port: number | null;
}

interface AllowedHost {
  readonly host: string;
  readonly port: number | null;
}

export const emptyAllowList: AllowList = { networks: [], hosts: [] };

/**
 * Reads entries such as `10.1.0.0/16`, `127.0.0.1`, `127.0.0.1:8080`, `[::1]:8080`, `fd00::/8`, `wiki.corp`,
 * `wiki.corp:8443`, `10.1.0.0/16:8080`. Throws `UserError('config')` naming the first bad entry.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const networks: AllowedNetwork[] = [];
  const hosts: AllowedHost[] = [];
  for (const entry of entries) {
    const read = readEntry(entry.trim());
    if ('problem' in read) {
      throw new UserError(
        'config',
        `allow-list entry "${entry}" ${read.problem}`,
        'examples: 10.1.0.0/16, 127.0.0.1:8080, wiki.corp',
      );
    }
    if ('network' in read) networks.push(read);
    else hosts.push(read);
  }
  return { networks, hosts };
}

/** What is wrong with an entry of an allow-list, as the end of a sentence; null when it is sound. */
export function allowListProblem(entry: string): string | null {
  const read = readEntry(entry.trim());
  return 'problem' in read ? read.problem : null;
}

/** True when the list names this very address (at this port). */
export function allowsAddress(allow: AllowList, ip: string, port: number): boolean {
  const address = parseIp(ip);
  if (address === null) return false;
  return allow.networks.some((entry) => isPort(entry.port, port) && contains(entry.network, address));
}

/** True when the list names this host, so that whatever it resolves to may be connected to, metadata services excepted. */
export function allowsHost(allow: AllowList, host: string, port: number): boolean {
  const name = bareHost(host);
  return allow.hosts.some((entry) => isPort(entry.port, port) && entry.host === name);
}

function isPort(allowed: number | null, port: number): boolean {
  return allowed === null || allowed === port;
}

/** True when an entry names host and port together: only that opens a port of another protocol. */
function namesPort(allow: AllowList, host: string, port: number): boolean {
  const onlyThisPort: AllowList = {
    networks: allow.networks.filter((entry) => entry.port === port),
    hosts: allow.hosts.filter((entry) => entry.port === port),
  };
  return allowsAddress(onlyThisPort, host, port) || allowsHost(onlyThisPort, host, port);
}

function readEntry(text: string): AllowedNetwork | AllowedHost | { readonly problem: string } {
  const whole = parseNetwork(text);
  const [host, port] = whole === null ? splitPort(text) : [text, null];
  const network = whole ?? (port === null ? null : parseNetwork(host));
  if (network === null) return readHost(host, port);
  const widest = widestPrefix[network.version];
  if (network.prefix >= widest) return { network, port };
  return { problem: `is wider than /${widest}, which would switch the address guard off` };
}

function splitPort(text: string): [host: string, port: number | null] {
  const match = /^(.+):(\d{1,5})$/.exec(text);
  if (match === null || Number(match[2]) > 65_535) return [text, null];
  return [match[1] as string, Number(match[2])];
}

/** Shortest prefixes an entry may have: wide enough for 10.0.0.0/8 and fc00::/7, too narrow to be an off switch. */
const widestPrefix = { 4: 8, 6: 7 } as const;

/** A host entry as URLs spell it: lower case, IDNA, no trailing dot. */
function readHost(host: string, port: number | null): AllowedHost | { readonly problem: string } {
  const isName = /^[^\s/:@?#%*[\]\\]+$/.test(host) && URL.canParse(`http://${host}/`);
  if (!isName) return { problem: 'is not an address, a network such as 10.1.0.0/16, or a host name' };
  const name = bareHost(new URL(`http://${host}/`).hostname);
  return parseIp(name) === null ? { host: name, port } : { problem: `must be written as ${name}` };
}

/** Host without brackets and without the root's dot. */
function bareHost(host: string): string {
  if (host.startsWith('[')) return host.slice(1, -1);
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** RFC 6761 §6.3: localhost and everything below it is this machine, whatever DNS says. */
function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Endings that never lead to a public host: private use by registry, RFC, or long habit of intranets. */
const internalName =
  /\.(?:local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|svc|consul|onion|alt|invalid)$/;

/** A name of at least two non-empty labels (single labels depend on the machine's search list) outside private endings. */
function isPublicName(host: string): boolean {
  return host.includes('.') && !host.startsWith('.') && !host.includes('..') && !internalName.test(host);
}

type NamedRange = readonly [network: Network, kind: string];

function ranges(table: Readonly<Record<string, string>>): readonly NamedRange[] {
  return Object.entries(table).map(([cidr, kind]) => [parseNetwork(cidr) as Network, kind]);
}

/** First match wins, so single addresses stand before the networks that hold them. */
const specialIpv4 = ranges({
  // Instance metadata: AWS, Azure, Google and most others; AWS ECS; Alibaba; Oracle; Azure's wire server, a public address.
  '169.254.169.254': 'metadata',
  '169.254.170.2': 'metadata',
  '100.100.100.200': 'metadata',
  '192.0.0.192': 'metadata',
  '168.63.129.16': 'metadata',
  // IANA IPv4 Special-Purpose Address Registry.
  '0.0.0.0/8': 'unspecified',
  '10.0.0.0/8': 'private',
  '100.64.0.0/10': 'cgnat',
  '127.0.0.0/8': 'loopback',
  '169.254.0.0/16': 'link-local',
  '172.16.0.0/12': 'private',
  '192.0.0.0/24': 'ietf-protocol',
  '192.0.2.0/24': 'documentation',
  '192.88.99.0/24': '6to4-relay',
  '192.168.0.0/16': 'private',
  '198.18.0.0/15': 'benchmarking',
  '198.51.100.0/24': 'documentation',
  '203.0.113.0/24': 'documentation',
  '224.0.0.0/4': 'multicast',
  '255.255.255.255': 'broadcast',
  '240.0.0.0/4': 'reserved',
});

const specialIpv6 = ranges({
  // Instance metadata of AWS and Google.
  'fd00:ec2::254': 'metadata',
  'fd20:ce::254': 'metadata',
  // IANA IPv6 Special-Purpose Address Registry and RFC 4291.
  '::': 'unspecified',
  '::1': 'loopback',
  '::/96': 'ipv4-compatible',
  '::ffff:0:0:0/96': 'ipv4-translated',
  '64:ff9b:1::/48': 'nat64-local',
  '100::/64': 'discard',
  '2001::/32': 'teredo',
  '2001:2::/48': 'benchmarking',
  '2001:10::/28': 'orchid',
  '2001:20::/28': 'orchid',
  '2001::/23': 'ietf-protocol',
  '2001:db8::/32': 'documentation',
  '2002::/16': '6to4',
  '3fff::/20': 'documentation',
  '5f00::/16': 'srv6',
  'fc00::/7': 'unique-local',
  'fe80::/10': 'link-local',
  'fec0::/10': 'site-local',
  'ff00::/8': 'multicast',
});

/** IPv6 forms that lead to the IPv4 address in their last 32 bits: RFC 4291 §2.5.5.2, RFC 6052 §2.1. */
const carriers = ranges({ '::ffff:0:0/96': 'mapped', '64:ff9b::/96': 'nat64' });

/** The only part of IPv6 given out for the public network so far (RFC 4291 §2.4, IANA). */
const globalUnicast = parseNetwork('2000::/3') as Network;

function kindOf(ip: IpAddress): string {
  const special = find(ip.version === 4 ? specialIpv4 : specialIpv6, ip);
  if (special !== undefined) return special;
  if (ip.version === 4 || contains(globalUnicast, ip)) return 'public';
  const carrier = find(carriers, ip);
  if (carrier === undefined) return 'reserved';
  const inner = kindOf({ version: 4, value: ip.value & 0xffff_ffffn });
  return inner === 'public' ? 'public' : `${carrier}-${inner}`;
}

function find(table: readonly NamedRange[], ip: IpAddress): string | undefined {
  return table.find(([network]) => contains(network, ip))?.[1];
}

/**
 * Ports of other protocols, where an HTTP request could do harm: the Fetch standard's bad ports, and the usual ports
 * of databases, caches, queues and container control.
 */
const foreignPorts: ReadonlySet<number> = new Set([
  ...[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109,
  ],
  ...[
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526,
    530,
  ],
  ...[
    531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045,
    4190,
  ],
  ...[5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
  ...[
    445, 873, 1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 6380, 9042,
    9092,
  ],
  ...[9200, 9300, 10_250, 10_255, 11_211, 27_017, 27_018, 27_019, 28_017],
]);
