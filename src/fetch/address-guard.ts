/**
 * Opens connections, and is the only thing that does: the address checked is the address dialled, for every connection
 * (R15). The name is resolved here, every answer is judged, one of these very answers is dialled as a literal, so
 * neither a second look-up nor a redirect nor a fallback can lead elsewhere; the far end is compared once more when the
 * connection stands. Runs once per connection, so it costs a kept-alive request nothing.
 */
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Clock } from '../clock.ts';
import type { ReasonCode } from '../reasons.ts';
import { type AllowList, allowsAddress, allowsHost, classifyAddress } from '../url/address.ts';
import { parseIp } from '../url/ip.ts';
import type { Resolver } from './resolver.ts';

/** Why no connection was made. An error only because undici passes nothing else on; it ends as a `FetchResult`. */
export class ConnectFailure extends Error {
  override readonly name: string = 'ConnectFailure';
  readonly reason: ReasonCode;
  /** True when an address was dialled. */
  readonly wasSent: boolean;

  constructor(reason: ReasonCode, detail: string, wasSent: boolean) {
    super(detail);
    this.reason = reason;
    this.wasSent = wasSent;
  }
}

/** A connection to open: `address` is a literal, `host` the name it was found under. */
export interface DialTarget {
  readonly address: string;
  readonly port: number;
  readonly host: string;
  readonly isTls: boolean;
}

/** Starts a connection to `target.address`. Tests put a recorder here. */
export type Dial = (target: DialTarget) => Socket;

export interface GuardOptions {
  readonly resolver: Resolver;
  readonly allow: AllowList;
  readonly clock: Clock;
  /** Resolving, connecting and TLS together. */
  readonly connectMs: number;
  /** Certificate authorities and the like; the machine's own when absent. */
  readonly secureContext?: SecureContext;
  readonly dial?: Dial;
}

/** Addresses of one name that are tried, in turn, before giving up. */
const MAX_TRIES = 4;

/** A connector for undici whose every socket leads to a checked address. */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const dial = options.dial ?? systemDial(options.secureContext ?? createSecureContext());
  return (target, callback) => {
    open(options, dial, target).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function open(options: GuardOptions, dial: Dial, target: buildConnector.Options): Promise<Socket> {
  const isTls = target.protocol === 'https:';
  const port = target.port ? Number(target.port) : isTls ? 443 : 80;
  const host = target.hostname.replace(/\.$/, '');
  const startedAt = options.clock.now();
  const addresses = await checkedAddresses(options, host, port);
  const tries = addresses.slice(0, MAX_TRIES);
  let failure: unknown;
  for (const [index, address] of tries.entries()) {
    const leftMs = options.connectMs - (options.clock.now() - startedAt);
    if (leftMs <= 0) break;
    const timeMs = Math.ceil(leftMs / (tries.length - index));
    try {
      return await dialOne(options, dial, { address, port, host, isTls }, timeMs);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? new ConnectFailure('net.connect', `not connected after ${options.connectMs} ms`, false);
}

/** The addresses of a host, all of them judged; one bad answer refuses the name. */
async function checkedAddresses(options: GuardOptions, host: string, port: number): Promise<string[]> {
  const addresses = isIP(host) > 0 ? [host] : await resolve(options, host);
  if (addresses.length === 0) throw new ConnectFailure('safety.dns', 'the host name has no address', false);
  if (addresses.every((address) => isPermitted(options.allow, host, address, port))) return addresses;
  throw new ConnectFailure('safety.private', 'the host leads to an address that is not public', false);
}

async function resolve(options: GuardOptions, host: string): Promise<string[]> {
  const late = new AbortController();
  const timeout = options.clock.sleep(options.connectMs, late.signal).then(() => null);
  try {
    const answers = await Promise.race([options.resolver.resolve(host), timeout]);
    if (answers !== null) return answers.map(({ address }) => address);
  } catch (error) {
    throw new ConnectFailure('safety.dns', `the host name could not be resolved (${codeOf(error)})`, false);
  } finally {
    late.abort();
  }
  throw new ConnectFailure(
    'safety.dns',
    `the host name was not resolved after ${options.connectMs} ms`,
    false,
  );
}

/** A host named in the allow list opens whatever it resolves to but metadata services: those must be named by address. */
function isPermitted(allow: AllowList, host: string, address: string, port: number): boolean {
  const kind = classifyAddress(address);
  if (kind === 'public' || allowsAddress(allow, address, port)) return true;
  return kind !== 'invalid' && !kind.endsWith('metadata') && allowsHost(allow, host, port);
}

/** Dials one literal address; resolves with a connection that stands and leads there. */
function dialOne(options: GuardOptions, dial: Dial, target: DialTarget, timeMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = dial(target);
    let isConnected = false;
    const fail = (reason: ReasonCode, detail: string): void => {
      cancel();
      socket.destroy();
      reject(new ConnectFailure(reason, detail, true));
    };
    const cancel = options.clock.after(timeMs, () => fail('net.connect', `not connected after ${timeMs} ms`));
    socket.setNoDelay(true);
    socket.once('connect', () => {
      isConnected = true;
      if (!isSameAddress(socket.remoteAddress, target.address)) {
        fail('safety.private', 'the connection leads to another address than the one checked');
      } else if (!target.isTls) {
        cancel();
        resolve(socket);
      }
    });
    socket.once('secureConnect', () => {
      cancel();
      resolve(socket);
    });
    // Stays for the life of the socket: rejecting later changes nothing, and an error nobody hears ends the process.
    socket.on('error', (error) => {
      const reason = isConnected && target.isTls ? 'net.tls' : 'net.connect';
      fail(reason, `${reason === 'net.tls' ? 'TLS failed' : 'no connection'} (${codeOf(error)})`);
    });
  });
}

function isSameAddress(left: string | undefined, right: string): boolean {
  const one = parseIp(left ?? '');
  const other = parseIp(right);
  return one !== null && other !== null && one.version === other.version && one.value === other.value;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/** TLS sessions remembered for resumption, by host and port; about 2 KB each. */
const MAX_SESSIONS = 500;
/** Bytes read from a socket at once: fewer, larger reads than Node's 16 KB. */
const READ_BYTES = 64 * 1024;

/** Dials with node:net and node:tls; HTTP/1.1 only, sessions resumed. */
function systemDial(secureContext: SecureContext): Dial {
  const sessions = new Map<string, Buffer>();
  return ({ address, port, host, isTls }) => {
    const target: TcpNetConnectOpts & { highWaterMark: number } = {
      host: address,
      port,
      highWaterMark: READ_BYTES,
    };
    if (!isTls) return connectTcp(target);
    const key = `${host}:${port}`;
    const session = sessions.get(key);
    const socket: TLSSocket = connectTls({
      ...target,
      secureContext,
      servername: isIP(host) > 0 ? '' : host,
      ALPNProtocols: ['http/1.1'],
      ...(session === undefined ? {} : { session }),
    });
    socket.on('session', (fresh) => {
      sessions.delete(key);
      sessions.set(key, fresh);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    });
    return socket;
  };
}
