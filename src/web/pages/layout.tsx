/** The frame of every page. */
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { languages, type Voice } from '../language.ts';
import type { WebStatus } from '../reads.ts';

/** What every page knows of the request it answers. */
export interface View {
  readonly voice: Voice;
  /** Name of the search engine. */
  readonly name: string;
  readonly now: number;
  /** The requested URL. */
  readonly url: URL;
}

/**
 * A link to a page of ours; a language chosen by hand stays chosen. Empty parameters are left out. The path may be one that
 * was asked for: `//name/` would lead to somebody else.
 */
export function pageLink(view: View, wanted: string, params: Readonly<Record<string, string>> = {}): string {
  const path = wanted.replace(/^\/+/, '/');
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''));
  const language = view.url.searchParams.get('lang');
  if (language !== null && !query.has('lang')) query.set('lang', language);
  return query.size === 0 ? path : `${path}?${query}`;
}

interface LayoutProps {
  readonly view: View;
  readonly title: string;
  readonly status?: WebStatus;
  /** Uses the whole window: a frame below a bar. */
  readonly isWide?: boolean;
  readonly children: Child;
}

export function Layout({ view, title, status, isWide = false, children }: LayoutProps): JSX.Element {
  const { voice } = view;
  return (
    <html lang={voice.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href="/style.css" />
        <link rel="icon" type="image/svg+xml" href="/icon.svg" />
      </head>
      <body class={isWide ? 'wide' : undefined}>
        <a class="skip" href="#content">
          {voice.say('layout.skip')}
        </a>
        <header class="top">
          <a class="name" href={pageLink(view, '/')}>
            {view.name}
          </a>
          <Languages view={view} />
        </header>
        <main id="content">{children}</main>
        {status !== undefined && <Footer view={view} status={status} />}
      </body>
    </html>
  );
}

function Languages({ view }: { view: View }): JSX.Element {
  const others = languages.filter(([language]) => language !== view.voice.language);
  return (
    <nav aria-label={view.voice.say('layout.language')}>
      {others.map(([language, name]) => (
        <a
          href={pageLink(view, view.url.pathname, { ...queryOf(view), lang: language })}
          lang={language}
          hreflang={language}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function Footer({ view, status }: { view: View; status: WebStatus }): JSX.Element {
  const { voice } = view;
  const last =
    status.lastFetchedAt === null
      ? ''
      : voice.say('layout.last', { time: voice.ago(status.lastFetchedAt, view.now) });
  return (
    <footer>
      {voice.count('layout.pages', status.documents)}
      {last !== '' && ` · ${last}`}
    </footer>
  );
}

function queryOf(view: View): Record<string, string> {
  const { q, page } = Object.fromEntries(view.url.searchParams);
  return { q: q ?? '', page: page ?? '' };
}
