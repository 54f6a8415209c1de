/** Demo site: a slow little library that asks for two seconds between requests (`Crawl-delay`). */
import { type Frame, htmlPage } from './markup.ts';
import { answer, type DemoPage, type DemoSite, indexed, plain } from './page.ts';

/** What robots.txt asks for, seconds. */
export const LIBRARY_CRAWL_DELAY_S = 2;

const frame: Frame = {
  site: 'Millbrook Town Library',
  language: 'en',
  nav: [
    ['Library', '/'],
    ['Opening hours', '/hours'],
  ],
  footer: 'One volunteer, one old computer: please crawl slowly.',
};

export function librarySite(): DemoSite {
  return {
    robots: () => plain(`User-agent: *\nCrawl-delay: ${LIBRARY_CRAWL_DELAY_S}\n`),
    pages: [
      page(
        '/',
        'A library in a mill',
        'Eleven thousand books on three floors. See the [opening hours](/hours), the [map room](/maps) and the [seed library](/seeds).',
      ),
      page(
        '/hours',
        'Opening hours',
        'Tuesday to Saturday from ten to six; on Thursday until nine. Closed when the river is above two metres.',
      ),
      page(
        '/maps',
        'The map room',
        'Four hundred maps of the valley, the oldest drawn in 1612 by a surveyor who had never seen it. Gloves are provided.',
      ),
      page(
        '/seeds',
        'Seed library',
        'Take a packet of seeds in spring and bring one back in autumn. Beans do best; of pumpkins we have enough.',
      ),
    ],
  };
}

function page(path: string, title: string, text: string): DemoPage {
  return {
    path,
    fate: indexed,
    answer: () => ({ ...answer(htmlPage(frame, { title, text })), validator: 'etag' }),
  };
}
