/**
 * Small random webs with everything that goes wrong, for storms. Faults depend on the time alone and end at `calmAt`; from
 * then on the web stands still, so what a crawl must end up with does not depend on what happened to it before.
 *
 * Pages that lead on may fail for a time; those that vanish, move or have twins lead nowhere, because what lies behind
 * them would depend on when they were visited.
 */
import type { Random } from '../../src/clock.ts';
import { MINUTE_MS } from './harness.ts';
import type { SimAnswer, SimRequest } from './sim-web.ts';
import { cached, page, type Reply, redirect, type Site, type Sites, status } from './sites.ts';

export interface RandomWeb {
  readonly sites: Sites;
  readonly seeds: readonly string[];
}

/** A web whose faults all happen before `calmAt`. */
export function randomWeb(dice: Dice, startAt: number, calmAt: number): RandomWeb {
  const hosts = Array.from({ length: dice.between(1, 4) }, (_, n) => `h${n}.test`);
  const times = new Times(dice, startAt, calmAt);
  const pages = Array.from({ length: dice.between(6, 26) }, (_, n) => urlOf(dice, dice.pick(hosts), n));
  const inner = pages.slice(0, Math.ceil(pages.length / 2));
  const sites = new Map<string, Record<string, Reply>>();
  for (const host of hosts) sites.set(host, { '/robots.txt': robots(dice, times, host) });
  for (const [n, url] of pages.entries()) {
    const { host, pathname, search } = new URL(url);
    const reply = n < inner.length ? leading(dice, times, n, pages) : leaf(dice, times, n, pages);
    (sites.get(host) ?? {})[pathname + search] = reply;
  }
  for (const host of hosts) (sites.get(host) ?? {})['/'] ??= page(`Front of ${host}`, dice.some(pages, 6));
  return {
    sites: Object.fromEntries(sites) as Record<string, Site>,
    seeds: hosts.map((host) => `http://${host}/`),
  };
}

/** Readable chance. */
export class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  isLucky(chance: number): boolean {
    return this.#random() < chance;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.between(0, values.length - 1)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  /** Up to `most` of them. */
  some<T>(values: readonly T[], most: number): T[] {
    return Array.from({ length: this.between(0, most) }, () => this.pick(values));
  }
}

/** Instants and spans of the stormy time. */
class Times {
  readonly #dice: Dice;
  readonly #startAt: number;
  readonly #calmAt: number;

  constructor(dice: Dice, startAt: number, calmAt: number) {
    this.#dice = dice;
    this.#startAt = startAt;
    this.#calmAt = calmAt;
  }

  any(): number {
    return this.#dice.between(this.#startAt, this.#calmAt);
  }

  /** Inside a span that ends before it is calm? */
  span(): (at: number) => boolean {
    const [from, to] = [this.any(), this.any()].sort((a, b) => a - b);
    const begins = this.#dice.isLucky(0.5) ? this.#startAt : (from ?? 0);
    return (at) => at >= begins && at < (to ?? 0);
  }
}

function urlOf(dice: Dice, host: string, n: number): string {
  const path = dice.pick([`/p${n}`, `/p${n}`, `/dir/p${n}`, `/list?a=1&n=${n}`, `/private/p${n}`]);
  return `http://${host}${path}`;
}

function robots(dice: Dice, times: Times, host: string): Reply {
  const isDown = times.span();
  const usual = dice.pick<Reply>([
    null,
    'User-agent: *\nDisallow: /private/\n',
    'User-agent: *\nDisallow: /private/\nCrawl-delay: 5\n',
    'User-agent: freshet\nDisallow: /dir/\n\nUser-agent: *\nDisallow: /\n',
    status(200, { 'cache-control': 'max-age=900', etag: '"r"' }, 'User-agent: *\nDisallow: /private/\n'),
    redirect(301, `http://${host}/rules.txt`),
  ]);
  const down = failure(dice);
  // A 408 would be believed for a day to mean that there are no rules (RFC 9309 2.3.1.3).
  if ('status' in down && down.status === 408) return usual;
  return dice.isLucky(0.3) ? ({ at }) => (isDown(at) ? down : usual) : usual;
}

/** A page with links that may fail for a time. */
function leading(dice: Dice, times: Times, n: number, pages: readonly string[]): Reply {
  const oddities = ['#top', 'http://out.test/', '/logo.png', 'javascript:void 0', 'further/'];
  const links = [
    pages[n + 1] ?? '/',
    pages[n * 2 + 2] ?? '/',
    ...dice.some(pages, 4),
    ...dice.some(oddities, 2),
  ];
  const html = page(`Inner ${n}`, links);
  const fine = dice.pick<Reply>([html, cached(html), editions(dice, times, `Edition of ${n}`, links)]);
  return dice.isLucky(0.4) ? failing(dice, times, fine) : fine;
}

/** A page without links, with a fate. */
function leaf(dice: Dice, times: Times, n: number, pages: readonly string[]): Reply {
  const html = page(`Leaf ${n}`);
  const turnsAt = times.any();
  const isAway = times.span();
  const other = dice.pick(pages);
  return dice.pick<() => Reply>([
    () => html,
    () => cached(html),
    () => page('One of the twins'),
    () => html.replace('<main>', '<meta name="robots" content="noindex"><main>'),
    () => failing(dice, times, html),
    () => editions(dice, times, `Leaf edition ${n}`, []),
    () =>
      ({ at }) =>
        at < turnsAt ? html : null,
    () =>
      ({ at }) =>
        at < turnsAt ? html : status(410),
    () =>
      ({ at }) =>
        isAway(at) ? null : html,
    () =>
      ({ at }) =>
        at < turnsAt ? html : redirect(301, other),
    () =>
      redirect(
        dice.pick([301, 302, 307]),
        dice.pick([...pages, 'http://out.test/', `/p${n}`, 'mailto:x@y.test']),
      ),
    () => status(dice.pick([401, 403, 404, 410])),
    () => status(200, { 'content-type': 'application/pdf' }, '%PDF-1.4'),
    () => '',
  ])();
}

/** The text changes a few times; the links do not. */
function editions(dice: Dice, times: Times, title: string, links: readonly string[]): Reply {
  const changes = Array.from({ length: dice.between(1, 3) }, () => times.any());
  return (request) =>
    cached(page(`${title}, no. ${changes.filter((at) => at <= request.at).length}`, links))(request);
}

function failing(dice: Dice, times: Times, fine: Reply): Reply {
  const isDown = times.span();
  const down = failure(dice);
  return ({ at }: SimRequest) => (isDown(at) ? down : fine);
}

function failure(dice: Dice): SimAnswer {
  return dice.pick<SimAnswer>([
    status(500),
    status(503),
    status(503, { 'retry-after': String(dice.between(1, 400)) }),
    status(429),
    status(429, { 'retry-after': String(dice.between(0, 60)) }),
    status(408),
    { fails: 'net.timeout', afterMs: MINUTE_MS / 2 },
    { fails: 'net.connect' },
    { fails: 'net.reset' },
    { fails: 'net.truncated' },
    { fails: 'net.tls' },
    { fails: 'safety.dns', wasSent: false },
  ]);
}
