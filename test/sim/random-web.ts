/**
 * Small random webs with everything that goes wrong, for storms. Faults depend on the time alone and end at `calmAt`; from
 * then on the web stands still, so what a crawl must end up with does not depend on what happened to it before.
 *
 * Pages that lead on may fail for a time; those that vanish, move or have twins lead nowhere, because what lies behind
 * them would depend on when they were visited.
 */
import type { Random } from '../../src/clock.ts';
import { HOUR_MS, MINUTE_MS } from './harness.ts';
import type { SimAnswer, SimRequest } from './sim-web.ts';
import { cached, page, type Reply, redirect, type Site, type Sites, status } from './sites.ts';

export interface RandomWeb {
  readonly sites: Sites;
  readonly seeds: readonly string[];
}

/** How large a web is, and what it may ask of its crawler. */
export interface WebSize {
  readonly mostPages: number;
  /** Edits of one page within the stormy time. */
  readonly mostEdits: number;
  /** Seconds a server may ask to be left alone. */
  readonly longestRestS: number;
}

/** A web whose faults all happen before `calmAt`. */
export function randomWeb(dice: Dice, startAt: number, calmAt: number, size: WebSize): RandomWeb {
  const hosts = Array.from({ length: dice.between(1, 3) }, (_, n) => `h${n}.test`);
  const times = new Times(dice, startAt, calmAt, size);
  const pages = Array.from({ length: dice.between(5, size.mostPages) }, (_, n) =>
    urlOf(dice, dice.pick(hosts), n),
  );
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
  readonly size: WebSize;
  readonly #dice: Dice;
  readonly #startAt: number;
  readonly #calmAt: number;

  constructor(dice: Dice, startAt: number, calmAt: number, size: WebSize) {
    this.size = size;
    this.#dice = dice;
    this.#startAt = startAt;
    this.#calmAt = calmAt;
  }

  any(): number {
    return this.#dice.between(this.#startAt, this.#calmAt);
  }

  /** Inside a span that ends before it is calm? It begins with the storm, or later. */
  span(longestMs: number = Number.POSITIVE_INFINITY): (at: number) => boolean {
    const [from, to] = [this.any(), this.any()].sort((a, b) => a - b) as [number, number];
    const begins = this.#dice.isLucky(0.5) ? this.#startAt : from;
    const ends = Math.min(to, begins + longestMs);
    return (at) => at >= begins && at < ends;
  }
}

function urlOf(dice: Dice, host: string, n: number): string {
  const path = dice.pick([`/p${n}`, `/p${n}`, `/dir/p${n}`, `/list?a=1&n=${n}`, `/private/p${n}`]);
  return `http://${host}${path}`;
}

/** Longer than rules known before are good for, and not longer: robots.txt is asked for again every hour. */
const LONGEST_ROBOTS_FAILURE_MS = 60 * HOUR_MS;

function robots(dice: Dice, times: Times, host: string): Reply {
  const isDown = times.span(LONGEST_ROBOTS_FAILURE_MS);
  const usual = dice.pick<Reply>([
    null,
    'User-agent: *\nDisallow: /private/\n',
    'User-agent: *\nDisallow: /private/\nCrawl-delay: 5\n',
    'User-agent: freshet\nDisallow: /dir/\n\nUser-agent: *\nDisallow: /\n',
    status(200, { 'cache-control': 'max-age=900', etag: '"r"' }, 'User-agent: *\nDisallow: /private/\n'),
    redirect(301, `http://${host}/rules.txt`),
  ]);
  // A 408 would be believed for a day to mean that there are no rules (RFC 9309 2.3.1.3).
  const down = failure(dice, times, 'robots');
  return dice.isLucky(0.3) ? (request) => (isDown(request.at) ? down(request) : usual) : usual;
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
  const fine = dice.pick<Reply>([
    html,
    cached(html),
    editions(dice, times, `Edition of ${n}`, links),
    ({ nth }) => page(`Inner ${n}`, links, `Asked for ${nth} times.`),
  ]);
  return dice.isLucky(0.4) ? failing(dice, times, fine) : fine;
}

/** A page without links, with a fate. */
function leaf(dice: Dice, times: Times, n: number, pages: readonly string[]): Reply {
  const html = page(`Leaf ${n}`);
  // What is lost later may have been asked for conditionally before.
  const fine = dice.pick<Reply>([html, cached(html)]);
  const turnsAt = times.any();
  const isAway = times.span();
  const other = dice.pick(pages);
  return dice.pick<() => Reply>([
    () => html,
    () => cached(html),
    () => page('One of the twins'),
    () => html.replace('<main>', '<meta name="robots" content="noindex"><main>'),
    () => failing(dice, times, fine),
    () => editions(dice, times, `Leaf edition ${n}`, []),
    () =>
      ({ nth }) =>
        page(`Leaf ${n}`, [], `Asked for ${nth} times.`),
    () =>
      ({ at }) =>
        at < turnsAt ? fine : null,
    () =>
      ({ at }) =>
        at < turnsAt ? fine : status(410),
    () =>
      ({ at }) =>
        isAway(at) ? null : fine,
    () =>
      ({ at }) =>
        at < turnsAt ? fine : redirect(301, other),
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

/** The text changes now and then, as edits come: at random, or in a burst. The links do not. */
function editions(dice: Dice, times: Times, title: string, links: readonly string[]): Reply {
  const isEdited = times.span();
  const count = dice.between(1, times.size.mostEdits);
  const edits = Array.from({ length: count }, () => times.any());
  const counted = dice.isLucky(0.5) ? edits : edits.filter((at, n) => n === 0 || isEdited(at));
  return (request) =>
    cached(page(`${title}, no. ${counted.filter((at) => at <= request.at).length}`, links))(request);
}

function failing(dice: Dice, times: Times, fine: Reply): Reply {
  const isDown = times.span();
  const down = failure(dice, times, 'page');
  return (request: SimRequest) => (isDown(request.at) ? down(request) : fine);
}

type Failure = (request: SimRequest) => SimAnswer;

function failure(dice: Dice, times: Times, of: 'page' | 'robots'): Failure {
  const always = (answer: SimAnswer): Failure => {
    return () => answer;
  };
  const failures = [
    always(status(500)),
    always(status(503)),
    always(status(429)),
    resting(dice, 503, times.size.longestRestS),
    resting(dice, 429, Math.min(60, times.size.longestRestS)),
    always({ fails: 'net.timeout', afterMs: MINUTE_MS / 2 }),
    always({ fails: 'net.connect' }),
    always({ fails: 'net.reset' }),
    always({ fails: 'net.truncated' }),
    always({ fails: 'net.tls' }),
    always({ fails: 'safety.dns', wasSent: false }),
  ];
  return dice.pick(of === 'page' ? [...failures, always(status(408))] : failures);
}

/** Asks to be left alone, in one of the forms of Retry-After, or in none that can be read (RFC 9110 10.2.3). */
function resting(dice: Dice, code: number, longestS: number): Failure {
  const seconds = dice.between(0, longestS);
  const restMs = seconds * 1000;
  const ask = (value: string, asked: number): SimAnswer => {
    return { ...status(code, { 'retry-after': value }), restMs: asked };
  };
  const until = (write: (date: Date) => string): Failure => {
    return ({ at }) => {
      const second = Math.ceil((at + restMs) / 1000) * 1000;
      return ask(write(new Date(second)), second - at);
    };
  };
  return dice.pick<Failure>([
    () => ask(String(seconds), restMs),
    until((date) => date.toUTCString()),
    until(rfc850Date),
    until(asctimeDate),
    ({ at }) => ask(new Date(at - restMs).toUTCString(), 0),
    () => ask(dice.pick(['-5', '1.5', 'soon', '', '+10', '0x20']), 0),
  ]);
}

/** Sunday, 06-Nov-94 08:49:37 GMT */
function rfc850Date(date: Date): string {
  const [, day = '', month = '', year = '', time = ''] = date.toUTCString().split(/,? /);
  const weekday = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

/** Sun Nov  6 08:49:37 1994 */
function asctimeDate(date: Date): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}
