/** Demo site: traps. Each is an endless number of addresses made of a few pages; a crawler must walk out again. */
import { type Frame, htmlPage } from './markup.ts';
import { type Answer, answer, type DemoSite, indexed, plain, type Visit } from './page.ts';

const frame: Frame = {
  site: 'The Shop of Traps',
  language: 'en',
  nav: [
    ['Shop', '/'],
    ['Calendar', '/calendar'],
    ['Corridor', '/corridor/'],
    ['Catalogue', '/catalogue'],
    ['Basket', '/basket'],
  ],
  footer: 'There is always one page more.',
};

/** Facets of the catalogue: 5⁴ − 1 combinations besides the page without any. */
const facets = {
  colour: 'red,blue,green,white',
  size: 'xs,s,m,l',
  maker: 'ash,birch,cedar,elm',
  sort: 'name,price,age,sales',
};

export function trapsSite(): DemoSite {
  return {
    robots: () => plain('User-agent: *\nDisallow:\n'),
    pages: [
      {
        path: '/',
        fate: indexed,
        answer: () => page('Mind your step', 'Every link above leads further than it seems.'),
      },
      { path: '/calendar', fate: indexed, answer: calendar },
      { path: '/corridor/', fate: indexed, answer: corridor },
      { path: '/catalogue', fate: indexed, answer: catalogue },
      { path: '/basket', fate: indexed, answer: basket },
    ],
    endless: endlessPage,
    bounds: [
      { prefix: '/calendar', atMost: 50 },
      { prefix: '/corridor/', atMost: 6 },
      { prefix: '/catalogue', atMost: 300 },
      // Session ids are no part of an address, so there is one basket, however often it is linked.
      { prefix: '/basket', atMost: 1 },
    ],
  };
}

function endlessPage(visit: Visit): Answer | null {
  const path = visit.target.split(/[;?]/, 1)[0] ?? '';
  if (path === '/calendar') return calendar(visit);
  if (/^\/corridor\/(further\/)*$/.test(path)) return corridor(visit);
  if (path === '/catalogue') return catalogue(visit);
  return path === '/basket' ? basket(visit) : null;
}

/** Months without end in both directions, from the month of today. */
function calendar({ target, now }: Visit): Answer {
  const today = new Date(now);
  const [year, month] = (/month=(\d+)-(\d+)/.exec(target) ?? []).slice(1).map(Number);
  const shown = Date.UTC(year ?? today.getUTCFullYear(), (month ?? today.getUTCMonth() + 1) - 1);
  const links = [-12, -1, 1, 12].map(
    (step) => `[${monthOf(shown, step)}](/calendar?month=${monthOf(shown, step)})`,
  );
  return page(
    `Calendar for ${monthOf(shown, 0)}`,
    `Nothing happens in ${monthOf(shown, 0)}. ${links.join(' ')}`,
  );
}

function monthOf(instant: number, step: number): string {
  const date = new Date(instant);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + step)).toISOString().slice(0, 7);
}

/** A relative link that makes the address longer each time it is followed. */
function corridor({ target }: Visit): Answer {
  const doors = target.split('further/').length - 1;
  return page(`Corridor, ${doors} doors in`, `Behind door ${doors} is [another door](further/).`);
}

/** Every filter can be combined with every other. */
function catalogue({ target }: Visit): Answer {
  const chosen = new URLSearchParams(target.split('?')[1] ?? '');
  const links = Object.entries(facets).flatMap(([facet, values]) =>
    values.split(',').map((value) => {
      const query = new URLSearchParams(chosen);
      query.set(facet, value);
      return `[${facet} ${value}](/catalogue?${query})`;
    }),
  );
  return page(
    `Catalogue ${[...chosen.values()].join(' ')}`,
    `Garden benches, ${chosen.size} filters set. ${links.join(' ')}`,
  );
}

/** Hands out a new session id with every answer. */
function basket({ count, now }: Visit): Answer {
  const session = (now + count).toString(16).padStart(32, '0');
  return page(
    'Your basket is empty',
    `[Look again](/basket?PHPSESSID=${session}) or [and again](/basket;jsessionid=${session}).`,
  );
}

function page(title: string, text: string): Answer {
  return answer(htmlPage(frame, { title, text }));
}
