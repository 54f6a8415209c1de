import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoWeb, startDemoWeb } from './site.ts';

/** A page as a careless reader sees it: links by pattern, no robots.txt, redirects as links. */
interface Seen {
  readonly status: number;
  readonly title: string;
  readonly links: readonly string[];
}

const DEPTH = 5;

let web: DemoWeb;
let seen: Map<string, Seen>;
/** Every address some page or redirect points to. */
let linked: Set<string>;

beforeAll(async () => {
  web = await startDemoWeb({ slowMs: 50 });
  ({ seen, linked } = await walk(web));
});
afterAll(() => web.close());

describe('the first edition', () => {
  test('has 40 to 90 pages for the index, and their titles differ', () => {
    const titles = web.expected.indexed.map((url) => seen.get(url)?.title);
    expect(titles.length).toBeGreaterThan(40);
    expect(titles.length).toBeLessThan(90);
    const withTitle = titles.filter((title) => title !== '');
    expect(withTitle.length).toBe(titles.length - 1); // plain text has none
    expect(new Set(withTitle).size).toBe(withTitle.length);
  });

  test('leads to every page of the index by links, within the depth limit', () => {
    const missed = web.expected.indexed.filter((url) => seen.get(url)?.status !== 200);
    expect(missed).toEqual([]);
  });

  test('leads to everything that is kept out or folded', () => {
    const expected = [...web.expected.keptOut, ...web.expected.folded].map(({ url }) => url);
    const sitemaps = expected.filter((url) => url.endsWith('/sitemap.xml'));
    expect(expected.filter((url) => !linked.has(url))).toEqual(sitemaps);
  });

  test('tempts to everything that must never be asked for', () => {
    const untempting = web.expected.never.filter(
      ({ url }) => !linked.has(url) && !web.startUrls.includes(url),
    );
    expect(untempting.map(({ reason }) => reason)).toEqual(['robots.unreachable']); // behind the closed front page
  });

  test('keeps sitemap pages and later pages out of reach', () => {
    const { listed, later } = web.expected;
    expect(listed.length).toBeGreaterThan(0);
    expect(later.length).toBeGreaterThan(0);
    expect([...listed, ...later].filter((url) => linked.has(url))).toEqual([]);
  });

  test('names its sitemap pages in the sitemap', async () => {
    const sitemap = await text(`${web.origins.docs}/sitemap.xml`);
    for (const url of web.expected.listed) expect(sitemap).toContain(`<loc>${url}</loc>`);
  });
});

describe('odd answers', () => {
  test.each([
    ['/missing', 404],
    ['/gone', 410],
    ['/redirect/old', 301],
    ['/redirect/self', 307],
    ['/no-such-page', 404],
  ])('%s answers %i', async (path, status) => {
    expect((await get(web.origins.odd + path)).status).toBe(status);
  });

  test('busy, flaky and cut-off pages fail once and then work', async () => {
    const fresh = await startDemoWeb();
    const busy = await get(`${fresh.origins.odd}/busy`);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await get(`${fresh.origins.odd}/flaky`)).status).toBe(503);
    await expect(text(`${fresh.origins.odd}/cut-off`)).rejects.toThrow();
    for (const path of ['/busy', '/flaky', '/cut-off']) {
      expect((await get(fresh.origins.odd + path)).status).toBe(200);
    }
    await fresh.close();
  });

  test('large pages are over 5 MB once unpacked, however small on the wire', async () => {
    const packed = await get(`${web.origins.odd}/large-packed`);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(100_000);
    expect((await packed.text()).length).toBeGreaterThan(5_000_000);
  });

  test('robots.txt of the closed site fails, that of the library asks for a delay', async () => {
    expect((await get(`${web.origins.closed}/robots.txt`)).status).toBe(500);
    expect(await text(`${web.origins.library}/robots.txt`)).toContain('Crawl-delay: 2');
  });
});

describe('conditional requests', () => {
  test.each([
    ['docs', '/guide/', 'etag', 'if-none-match'],
    ['news', '/weather', 'last-modified', 'if-modified-since'],
  ] as const)('%s%s sends %s and answers 304', async (site, path, validator, condition) => {
    const url = web.origins[site] + path;
    const value = (await get(url)).headers.get(validator) ?? '';
    expect(value).not.toBe('');
    const second = await get(url, { [condition]: value });
    expect([second.status, await second.text()]).toEqual([304, '']);
    expect((await get(url, { 'if-none-match': '"other"', [condition]: value })).status).toBe(
      condition === 'if-none-match' ? 304 : 200,
    );
  });
});

describe('Chinese notices', () => {
  test.each([
    ['/gonggao/tingshui.html', 'gbk', '城东片区计划停水'],
    ['/gonggao/fangxun.html', 'utf-8', '防汛提示'],
    ['/lvyou/big5.html', 'big5', '颱風期間停航'],
  ])('%s is %s', async (path, encoding, words) => {
    const response = await get(web.origins.notices + path);
    expect(new TextDecoder(encoding, { fatal: true }).decode(await response.arrayBuffer())).toContain(words);
  });
});

describe('traps', () => {
  test('go on for ever', async () => {
    const { traps } = web.origins;
    const corridor = await text(`${traps}/corridor/${'further/'.repeat(40)}`);
    expect(corridor).toContain('Corridor, 40 doors in');
    expect(await text(`${traps}/calendar?month=2199-12`)).toContain('href="/calendar?month=2200-01"');
    expect(await text(`${traps}/catalogue?size=m&colour=red`)).toContain(
      'size=m&amp;colour=red&amp;maker=elm',
    );
    const sessions = [await text(`${traps}/basket`), await text(`${traps}/basket`)];
    expect(sessions[0]).not.toBe(sessions[1]);
  });
});

describe('advance', () => {
  test('changes, adds and loses pages for good', async () => {
    const fresh = await startDemoWeb();
    const status = async (url: string) => (await get(url)).status;
    const [later = ''] = fresh.expected.later;
    const weather = `${fresh.origins.news}/weather`;
    const before = await get(weather);
    expect(await status(later)).toBe(404);
    fresh.advance();
    for (const round of [1, 2]) {
      expect(await status(later)).toBe(200);
      for (const { url, reason } of fresh.expected.lost)
        expect(`http.${await status(url)}`, `${round}`).toBe(reason);
      fresh.advance();
    }
    const after = await get(weather, { 'if-modified-since': before.headers.get('last-modified') ?? '' });
    expect(after.status).toBe(200);
    expect(await after.text()).not.toBe(await before.text());
    expect(await text(`${fresh.origins.news}/`)).toContain(new URL(later).pathname);
    await fresh.close();
  });
});

describe('what the server saw', () => {
  test('is logged in order, with concurrency at its highest', async () => {
    const clock = { now: () => 1_000_000, sleep: () => Promise.resolve(), after: () => () => undefined };
    const fresh = await startDemoWeb({ clock });
    const url = `${fresh.origins.odd}/large`;
    const bodies = await Promise.all([get(url), get(url), get(url)]);
    expect(fresh.peak('odd')).toEqual({ requests: 3, connections: 3 });
    expect(fresh.peak('docs')).toEqual({ requests: 0, connections: 0 });
    expect(fresh.requests.map(({ at, site, target, status }) => [at, site, target, status])).toEqual(
      bodies.map(() => [1_000_000, 'odd', '/large', 200]),
    );
    expect(bodies[0]?.headers.get('date')).toBe(new Date(1_000_000).toUTCString());
    await Promise.all(bodies.map((body) => body.text()));
    await fresh.close();
  });

  test('a taken port is told and leaves nothing open', async () => {
    const taken = Number(new URL(web.origins.docs).port);
    await expect(startDemoWeb({ firstPort: taken })).rejects.toThrow(/EADDRINUSE/);
  });
});

/** Breadth first from the start URLs, past nothing that must never be asked for, one step into each trap. */
async function walk(demo: DemoWeb): Promise<{ seen: typeof seen; linked: typeof linked }> {
  const { startUrls, expected, origins } = demo;
  const pages: typeof seen = new Map();
  const targets: typeof linked = new Set();
  const barred = new Set(expected.never.map(({ url }) => url));
  const queue = startUrls.map((url) => ({ url, depth: 0 }));
  for (const { url, depth } of queue) {
    const isHere = Object.values(origins).some((origin) => url.startsWith(`${origin}/`));
    const isInTrap = url.startsWith(origins.traps) && depth > 1;
    if (pages.has(url) || barred.has(url) || !isHere || isInTrap || depth > DEPTH) continue;
    const page = await look(url);
    pages.set(url, page);
    for (const link of page.links) {
      targets.add(link);
      queue.push({ url: link, depth: isRedirect(page) ? depth : depth + 1 });
    }
  }
  return { seen: pages, linked: targets };
}

function isRedirect({ status }: Seen): boolean {
  return status >= 300 && status < 400;
}

async function look(url: string): Promise<Seen> {
  const fetched = async (): Promise<[Response, string]> => {
    const response = await get(url);
    const bytes = await response.arrayBuffer();
    const declared = `${response.headers.get('content-type')} ${new TextDecoder('latin1').decode(bytes)}`;
    return [response, new TextDecoder(/charset="?([\w-]+)/.exec(declared)?.[1]).decode(bytes)];
  };
  let [response, body] = await fetched().catch(fetched); // cut off the first time
  if (response.status === 429 || response.status === 503) [response, body] = await fetched();
  const location = response.headers.get('location');
  const hrefs = [...body.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? '');
  const links = [...hrefs, ...(location === null ? [] : [location])]
    .map((href) => new URL(href.replaceAll('&amp;', '&'), url).href)
    .filter((link) => link.startsWith('http'));
  return { status: response.status, title: /<title>([^<]*)/.exec(body)?.[1] ?? '', links };
}

function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', headers });
}

async function text(url: string): Promise<string> {
  return (await get(url)).text();
}
