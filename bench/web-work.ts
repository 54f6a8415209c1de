/** Drains the synthetic web by links as fast as a bare socket client can, then looks at what came. */
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface Drained {
  readonly responses: number;
  readonly medianBytes: number;
  readonly meanBytes: number;
  readonly meanLinks: number;
  readonly gzipShare: number;
  readonly legacyShare: number;
}

interface Page {
  readonly bytes: number;
  readonly links: number;
  readonly isPacked: boolean;
  readonly isLegacy: boolean;
}

export async function work(origins: readonly string[]): Promise<Drained> {
  const pages = (await Promise.all(origins.map((origin) => drain(origin)))).flat();
  const sizes = pages.map(({ bytes }) => bytes).sort((a, b) => a - b);
  const mean = (figure: (page: Page) => number): number =>
    pages.reduce((sum, page) => sum + figure(page), 0) / pages.length;
  return {
    responses: pages.length,
    medianBytes: sizes[sizes.length >> 1] ?? 0,
    meanBytes: mean(({ bytes }) => bytes),
    meanLinks: mean(({ links }) => links),
    gzipShare: mean(({ isPacked }) => Number(isPacked)),
    legacyShare: mean(({ isLegacy }) => Number(isLegacy)),
  };
}

/** Every page of one host over one connection, each request after the answer to the one before. */
async function drain(origin: string): Promise<Page[]> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const known = new Set(['/']);
  const pages: Page[] = [];
  const answers = responses(socket);
  for (const path of known) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    const { value } = await answers.next();
    if (value === undefined) break;
    const [head, body] = value;
    const isPacked = head.includes('Content-Encoding: gzip');
    const html = (isPacked ? gunzipSync(body) : body).toString('latin1');
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1] ?? '');
    for (const link of links) if (link.endsWith('.html') && /^\/(?!private)/.test(link)) known.add(link);
    const charset = /charset="?([\w-]+)/.exec(head + html.slice(0, 1_000))?.[1];
    pages.push({
      bytes: Buffer.byteLength(html, 'latin1'),
      links: links.length,
      isPacked,
      isLegacy: charset !== 'utf-8',
    });
  }
  socket.destroy();
  return pages;
}

async function* responses(chunks: AsyncIterable<Buffer>): AsyncGenerator<[head: string, body: Buffer]> {
  let received = Buffer.alloc(0);
  for await (const chunk of chunks) {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n') + 4;
    if (end < 4) continue;
    const head = received.toString('latin1', 0, end);
    const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
    if (received.length < end + length) continue;
    yield [head, received.subarray(end, end + length)];
    received = received.subarray(end + length);
  }
}
