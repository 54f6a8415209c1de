/**
 * A name server for tests, on a free port of 127.0.0.1, by UDP and TCP (RFC 1035). It answers what a script says for a
 * name and a type, well formed or not, and notes what it was asked. A well-formed answer that UDP does not hold is
 * truncated there and given whole by TCP, as name servers do.
 */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { parseIp } from '../../src/url/ip.ts';

export interface DnsRecord {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  /** An address; for a CNAME, a name. */
  readonly data: string;
  readonly ttl?: number;
  /** Whose record it is; the name that was asked for unless given. */
  readonly owner?: string;
}

/** RFC 1035 §4.1.1, by the names of the RFC's successors. */
export const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

export interface DnsQuestion {
  readonly id: number;
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'other';
  /** Name, type and class as they were sent. */
  readonly bytes: Buffer;
  readonly isTcp: boolean;
}

/** What is sent back: nothing at all, records, an error, or these very bytes. A promise holds the answer back. */
export type DnsReply =
  | null
  | { readonly records: readonly DnsRecord[]; readonly rcode?: keyof typeof rcodes }
  | { readonly bytes: Uint8Array };

/** `asked` is how often this name and type were asked for before. */
export type DnsScript = (question: DnsQuestion, asked: number) => DnsReply | Promise<DnsReply>;

export interface DnsServer {
  /** `127.0.0.1:port`, as `setServers` takes it. */
  readonly address: string;
  /** Names and types in the order they were asked for, such as `a.test A`; questions by TCP end in ` by TCP`. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

const typeCodes = { A: 1, CNAME: 5, AAAA: 28 } as const;
/** What UDP holds without an agreement on more (RFC 1035 §2.3.4). */
const MAX_UDP_BYTES = 512;
const IS_ANSWER = 0x8180;
const IS_TRUNCATED = 0x0200;

/** Starts a server; names without a script do not exist. */
export async function startDnsServer(scripts: Readonly<Record<string, DnsScript>>): Promise<DnsServer> {
  const questions: string[] = [];
  const answer = async (message: Buffer, isTcp: boolean): Promise<Buffer | null> => {
    const question = readQuestion(message, isTcp);
    const title = `${question.name} ${question.type}`;
    const asked = questions.filter((one) => one.replace(' by TCP', '') === title).length;
    questions.push(isTcp ? `${title} by TCP` : title);
    const script = scripts[question.name];
    return write(
      question,
      script === undefined ? { records: [], rcode: 'NXDOMAIN' } : await script(question, asked),
    );
  };
  const tcp = createServer((socket) => serveTcp(socket, answer));
  const sockets = new Set<Socket>();
  tcp.on('connection', (socket) => {
    sockets.add(socket);
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  let isOpen = true;
  udp.on('message', async (message: Buffer, from: RemoteInfo) => {
    const reply = await answer(message, false);
    if (reply !== null && isOpen) udp.send(reply, from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    questions,
    async close() {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
      const closed = [once(udp, 'close'), once(tcp, 'close')];
      udp.close();
      tcp.close();
      await Promise.all(closed);
    },
  };
}

/** Messages by TCP have their length before them (RFC 1035 §4.2.2). */
function serveTcp(socket: Socket, answer: (message: Buffer, isTcp: boolean) => Promise<Buffer | null>): void {
  let received = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', async (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const message = received.subarray(2, 2 + received.readUInt16BE(0));
      received = received.subarray(2 + message.length);
      const reply = await answer(message, true);
      if (reply !== null && !socket.destroyed) socket.write(Buffer.concat([uint16(reply.length), reply]));
    }
  });
}

function readQuestion(message: Buffer, isTcp: boolean): DnsQuestion {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = message.readUInt16BE(at + 1);
  const type = code === typeCodes.A ? 'A' : code === typeCodes.AAAA ? 'AAAA' : 'other';
  const name = labels.join('.').toLowerCase();
  return { id: message.readUInt16BE(0), name, type, bytes: message.subarray(12, at + 5), isTcp };
}

function write(question: DnsQuestion, reply: DnsReply): Buffer | null {
  if (reply === null) return null;
  if ('bytes' in reply) return Buffer.from(reply.bytes);
  const whole = message(question, reply.records, rcodes[reply.rcode ?? 'NOERROR']);
  if (question.isTcp || whole.length <= MAX_UDP_BYTES) return whole;
  return message(question, [], IS_TRUNCATED);
}

/** A whole answer; `flags` are added to those of every answer. */
export function message(question: DnsQuestion, records: readonly DnsRecord[], flags: number = 0): Buffer {
  const counts = [question.id, IS_ANSWER | flags, 1, records.length, 0, 0].map(uint16);
  return Buffer.concat([...counts, question.bytes, ...records.map(recordBytes)]);
}

function recordBytes({ type, data, ttl = 60, owner }: DnsRecord): Buffer {
  const bytes = type === 'CNAME' ? nameBytes(data) : addressBytes(data);
  // 0xc00c points to the name of the question.
  const name = owner === undefined ? uint16(0xc00c) : nameBytes(owner);
  const lifetime = [uint16(ttl >>> 16), uint16(ttl & 0xffff)];
  return Buffer.concat([name, uint16(typeCodes[type]), uint16(1), ...lifetime, uint16(bytes.length), bytes]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function addressBytes(text: string): Buffer {
  const ip = parseIp(text);
  if (ip === null) throw new Error(`${text} is not an address`);
  return Buffer.from(ip.value.toString(16).padStart(ip.version === 4 ? 8 : 32, '0'), 'hex');
}

function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}
