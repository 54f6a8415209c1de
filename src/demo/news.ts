/**
 * Demo site: a town newspaper that changes. Its front page and weather change with every edition, the visitors' page
 * with every visit; after the first `advance()` one article appears, one is missing (404) and one is gone (410).
 */
import { type Frame, htmlPage } from './markup.ts';
import { laterStories, type Story, stories } from './news-stories.ts';
import {
  type Answer,
  answer,
  type DemoPage,
  type DemoSite,
  indexed,
  never,
  plain,
  type Visit,
} from './page.ts';

const frame: Frame = {
  site: 'The Millbrook Gazette',
  language: 'en',
  nav: [
    ['Front page', '/'],
    ['Weather', '/weather'],
    ['Older stories', '/archive/2'],
  ],
  footer: 'Millbrook is nowhere. Written for crawlers to read.',
};

/** First edition and the distance between two, as the Last-Modified fields tell it. */
const FIRST_EDITION_AT = Date.UTC(2026, 2, 2, 6);
const EDITION_MS = 86_400_000;
const STORIES_PER_PAGE = 6;

export function newsSite(): DemoSite {
  return {
    robots: () => plain('User-agent: *\nDisallow: /members/\nDisallow: /search\n'),
    pages: [
      frontPage,
      olderStories,
      weather,
      visitors,
      ...stories.map(storyPage),
      ...laterStories.map(laterStoryPage),
      {
        path: '/members/crossword',
        fate: never('robots.disallow'),
        answer: () => page('Crossword', 'For members.', 0),
      },
      {
        path: '/search?q=mill',
        fate: never('robots.disallow'),
        answer: () => page('Search: mill', 'Eleven stories.', 0),
      },
    ],
  };
}

const frontPage: DemoPage = {
  path: '/',
  fate: indexed,
  answer({ edition }) {
    const published = [...laterStories.slice(0, edition), ...stories.slice(0, STORIES_PER_PAGE)];
    const more =
      '[Older stories](/archive/2) · [Crossword](/members/crossword) · [Search](/search?q=mill) · [Visitors](/visitors)';
    return page(`News from Millbrook, edition ${edition + 1}`, `${listOf(published)}\n\n${more}`, edition);
  },
};

const olderStories: DemoPage = {
  path: '/archive/2',
  fate: indexed,
  answer: () => page('Older stories', listOf(stories.slice(STORIES_PER_PAGE)), 0),
};

const weather: DemoPage = {
  path: '/weather',
  fate: indexed,
  answer({ edition }) {
    const degrees = 9 + ((edition * 5) % 14);
    const text = `Edition ${edition + 1}: ${degrees} degrees at noon, wind from the west, and the river at ${120 + edition * 7} centimetres.`;
    return page('Weather in the valley', text, edition);
  },
};

const visitors: DemoPage = {
  path: '/visitors',
  fate: indexed,
  answer({ count }) {
    const text = `This page was asked for ${count + 1} times. It never stays the same and sends no validator, so every visit finds it changed.`;
    return answer(htmlPage(frame, { title: 'Visitors', text }));
  },
};

function storyPage(story: Story): DemoPage {
  const { lostBy } = story;
  if (lostBy === undefined)
    return { path: story.path, fate: indexed, answer: () => page(story.title, story.text, 0) };
  return {
    path: story.path,
    fate: { kind: 'indexed', lostFor: lostBy === 410 ? 'http.410' : 'http.404' },
    answer: ({ edition }) => (edition === 0 ? page(story.title, story.text, 0) : lost(lostBy)),
  };
}

/** The nth later story is published with the nth edition after the first. */
function laterStoryPage(story: Story, index: number): DemoPage {
  return {
    path: story.path,
    fate: { kind: 'later' },
    answer: ({ edition }: Visit) => (edition > index ? page(story.title, story.text, index + 1) : lost(404)),
  };
}

function page(title: string, text: string, edition: number): Answer {
  const modifiedAt = FIRST_EDITION_AT + edition * EDITION_MS;
  return { ...answer(htmlPage(frame, { title, text })), validator: { modifiedAt } };
}

function lost(status: 404 | 410): Answer {
  return answer(htmlPage(frame, { title: 'No such story', text: 'It is not here.' }), undefined, status);
}

function listOf(list: readonly Story[]): string {
  return list.map(({ path, title }) => `- [${title}](${path})`).join('\n');
}
