/**
 * The public internet for tests, on one machine: names that resolve as a test says, and a dialler that notes the
 * address asked for and connects to a local server instead, pretending to have got there.
 */
import { connect, type Socket } from 'node:net';
import type { Dial } from '../../src/fetch/address-guard.ts';
import type { Resolver } from '../../src/fetch/resolver.ts';

/** Answers per name, or a function of how often the name was asked before; a name not listed is unknown. */
export type Names = Readonly<Record<string, readonly string[] | ((asked: number) => readonly string[])>>;

export function stubResolver(names: Names): Resolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async resolve(host) {
      const before = asked.filter((name) => name === host).length;
      asked.push(host);
      const entry = names[host];
      if (entry === undefined) throw Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' });
      const addresses = typeof entry === 'function' ? entry(before) : entry;
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

/**
 * A dialler that sends every connection to `port` of this machine. `arrivesAt` is the address the socket claims to be
 * connected to; the one dialled unless given.
 */
export function recordingDial(port: number, arrivesAt?: string): Dial & { readonly dialled: string[] } {
  const dialled: string[] = [];
  const dial: Dial = ({ address }) => {
    dialled.push(address);
    const socket: Socket = connect({ host: '127.0.0.1', port });
    Object.defineProperty(socket, 'remoteAddress', { value: arrivesAt ?? address });
    return socket;
  };
  return Object.assign(dial, { dialled });
}
