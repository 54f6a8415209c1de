/** Demo sites that stay closed: one whose robots.txt fails, so nothing of it may be read, and one nobody asked for. */
import { type Frame, htmlPage } from './markup.ts';
import { answer, type DemoSite, never, plain } from './page.ts';

/** robots.txt answers 500: a complete disallow (RFC 9309 section 2.3.1.4), however well the pages would answer. */
export function closedSite(): DemoSite {
  const frame: Frame = { site: 'Closed for repairs', language: 'en', nav: [['Start', '/']], footer: '' };
  const page = (title: string, text: string) => () => answer(htmlPage(frame, { title, text }));
  return {
    robots: () => answer('Internal Server Error\n', 'text/plain', 500),
    pages: [
      {
        path: '/',
        fate: never('robots.unreachable'),
        answer: page('Closed', 'Nobody knows the rules of this site. [Inside](/inside)'),
      },
      {
        path: '/inside',
        fate: never('robots.unreachable'),
        answer: page('Inside', 'No crawler should ever see this.'),
      },
    ],
  };
}

/** Linked to and redirected to, but no start URL is on it: not even its robots.txt may be asked for. */
export function outsideSite(): DemoSite {
  const frame: Frame = { site: 'Somebody else', language: 'en', nav: [['Start', '/']], footer: '' };
  return {
    robots: () => plain('User-agent: *\nDisallow:\n'),
    pages: [
      {
        path: '/',
        fate: never('scope.host'),
        answer: () =>
          answer(htmlPage(frame, { title: 'Out of scope', text: 'A link led here, but no seed did.' })),
      },
    ],
  };
}
