/** Demo site: the English handbook of an imaginary garden weather station, with a sitemap and rules to respect. */
import { docsArticles } from './docs-articles.ts';
import { type Frame, htmlPage } from './markup.ts';
import {
  answer,
  type DemoPage,
  type DemoSite,
  type Fate,
  indexed,
  never,
  type Origins,
  plain,
} from './page.ts';

const frame: Frame = {
  site: 'Larkbox Handbook',
  language: 'en',
  nav: [
    ['Start', '/'],
    ['Guide', '/guide/'],
    ['Sensors', '/sensors/'],
    ['Reference', '/reference/'],
    ['Help', '/help/'],
  ],
  footer: 'Larkbox is made up. Every page here exists to be crawled and searched.',
};

/** Last change named by the sitemap. */
const SITEMAP_DATE = '2026-03-01';

export function docsSite(origins: Origins): DemoSite {
  const robots = `# The more specific rule wins (RFC 9309 section 2.2.2).
User-agent: *
Disallow: /drafts/
Allow: /drafts/roadmap
Disallow: /*?print=

User-agent: greedybot
Disallow: /

Sitemap: ${origins.docs}/sitemap.xml
`;
  return {
    robots: () => plain(robots),
    pages: [
      ...docsArticles.map(({ path, ...article }) => page(path, article, fateOf(path))),
      releaseNotes,
      sitemap(origins),
    ],
  };
}

function fateOf(path: string): Fate {
  if (path === '/guide/winter') return { kind: 'listed' };
  const isRefused = path.includes('?print=') || (path.startsWith('/drafts/') && path !== '/drafts/roadmap');
  return isRefused ? never('robots.disallow') : indexed;
}

function page(path: string, article: { title: string; text: string }, fate: Fate): DemoPage {
  return { path, fate, answer: () => ({ ...answer(htmlPage(frame, article)), validator: 'etag' }) };
}

/** Gains a version with every edition of the web. */
const releaseNotes: DemoPage = {
  path: '/release-notes',
  fate: indexed,
  answer({ edition }) {
    const versions = Array.from({ length: edition + 1 }, (_, back) => edition - back);
    const text = versions.map((minor) => `## Version 4.${minor}\n\n${releaseNote(minor)}`).join('\n\n');
    return { ...answer(htmlPage(frame, { title: 'Release notes', text })), validator: 'etag' };
  },
};

function releaseNote(minor: number): string {
  if (minor === 0) return 'The first release with the new rain gauge. Settings of version 3 are taken over.';
  return `Firmware 4.${minor} corrects the barometer after a restart and shortens the start by ${minor} s. See [updates](/guide/updates).`;
}

function sitemap(origins: Origins): DemoPage {
  const listed = docsArticles.filter(({ path }) => fateOf(path).kind !== 'never');
  const entries = listed.map(
    ({ path }) => `<url><loc>${origins.docs}${path}</loc><lastmod>${SITEMAP_DATE}</lastmod></url>`,
  );
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
  return {
    path: '/sitemap.xml',
    fate: { kind: 'kept-out', reason: null },
    answer: () => answer(xml, 'application/xml'),
  };
}
