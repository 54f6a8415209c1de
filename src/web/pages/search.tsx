/** The search page: box, results, and help where there are none. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Query } from '../../search/query.ts';
import type { SearchHit, SearchResult } from '../../search/search-index.ts';
import type { WebStatus } from '../reads.ts';
import { displayUrl, languageTag, linkable, segmentsOf } from '../safe-text.ts';
import { Layout, pageLink, type View } from './layout.tsx';

/** One page of results for a query. */
export interface Found {
  readonly query: Query;
  readonly result: SearchResult;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Pages with nearly the same text are shown one by one. */
  readonly isUnfolded: boolean;
}

interface SearchPageProps {
  readonly view: View;
  readonly status: WebStatus;
  /** Names of sites, by host. */
  readonly labels: ReadonlyMap<string, string>;
  /** Null: nothing was asked yet. */
  readonly found: Found | null;
}

export function SearchPage({ view, status, labels, found }: SearchPageProps): JSX.Element {
  const input = found?.query.input ?? '';
  const title =
    found === null ? view.name : view.voice.say('search.title', { query: input, name: view.name });
  return (
    <Layout view={view} title={title} status={status}>
      <h1 class="unseen">{title}</h1>
      <SearchBox view={view} input={input} />
      {status.documents === 0 && <FirstVisit view={view} status={status} />}
      {found !== null && status.documents > 0 && <Answer view={view} labels={labels} found={found} />}
    </Layout>
  );
}

function SearchBox({ view, input }: { view: View; input: string }): JSX.Element {
  const label = view.voice.say('search.label');
  const language = view.url.searchParams.get('lang');
  return (
    <search>
      <form action="/" method="get" class="box">
        <input
          type="search"
          name="q"
          value={input}
          aria-label={label}
          placeholder={label}
          maxlength={1000}
          autocomplete="off"
          autofocus={input === ''}
        />
        {language !== null && <input type="hidden" name="lang" value={language} />}
        <button type="submit">{view.voice.say('search.button')}</button>
      </form>
    </search>
  );
}

interface AnswerProps {
  readonly view: View;
  readonly labels: ReadonlyMap<string, string>;
  readonly found: Found;
}

function Answer({ view, labels, found }: AnswerProps): JSX.Element {
  const { voice } = view;
  const { result, page, pageSize } = found;
  if (result.hits.length === 0) return <NothingFound view={view} found={found} />;
  const total = result.isTotalExact
    ? voice.count('search.total', result.total)
    : voice.say('search.totalAtLeast', { count: voice.number(result.total) });
  return (
    <>
      <p class="total" role="status">
        {total}
        {page > 1 && ` · ${voice.say('search.page', { page: voice.number(page) })}`}
        {result.isRelaxed && ` · ${voice.say('search.relaxed')}`}
      </p>
      <ol class="results" start={(page - 1) * pageSize + 1}>
        {result.hits.map((hit) => (
          <Hit view={view} hit={hit} label={labels.get(hit.host)} query={found.query.input} />
        ))}
      </ol>
      <Pager view={view} found={found} />
    </>
  );
}

interface HitProps {
  readonly view: View;
  readonly hit: SearchHit;
  readonly label: string | undefined;
  readonly query: string;
}

function Hit({ view, hit, label, query }: HitProps): JSX.Element {
  const language = languageTag(hit.language);
  const href = linkable(hit.url);
  const title =
    hit.title.trim() === '' ? (
      view.voice.say('search.untitled')
    ) : (
      <Marked text={hit.title} marks={hit.titleMarks} />
    );
  return (
    <li>
      <h2 lang={language} dir="auto">
        {href === null ? (
          title
        ) : (
          <a href={href} rel="noopener noreferrer nofollow">
            {title}
          </a>
        )}
      </h2>
      <p class="where" dir="ltr">
        {displayUrl(hit.url)}
        {label !== undefined && <span class="label">{label}</span>}
      </p>
      {hit.snippet !== '' && (
        <p class="snippet" lang={language} dir="auto">
          <Marked text={hit.snippet} marks={hit.marks} />
        </p>
      )}
      <Facts view={view} hit={hit} query={query} />
    </li>
  );
}

function Facts({ view, hit, query }: { view: View; hit: SearchHit; query: string }): JSX.Element {
  const { voice } = view;
  return (
    <div class="facts">
      {hit.changedAt !== null && <Time view={view} at={hit.changedAt} text="search.changed" />}
      <Time view={view} at={hit.fetchedAt} text="search.verified" />
      {hit.hasSnapshot && (
        <a href={pageLink(view, `/cache/${hit.id}`, { q: query })}>{voice.say('search.snapshot')}</a>
      )}
      {hit.duplicates.length > 0 && (
        <details>
          <summary>{voice.count('search.duplicates', hit.duplicates.length)}</summary>
          <ul>
            {hit.duplicates.map((url) => (
              <li dir="ltr">{displayUrl(url)}</li>
            ))}
          </ul>
        </details>
      )}
      {hit.similar > 0 && (
        <a href={pageLink(view, '/', { q: query, similar: 'all' })}>
          {voice.count('search.similar', hit.similar)}
        </a>
      )}
    </div>
  );
}

interface TimeProps {
  readonly view: View;
  readonly at: number;
  readonly text: 'search.changed' | 'search.verified';
}

function Time({ view, at, text }: TimeProps): JSX.Element {
  return (
    <time datetime={new Date(at).toISOString()} title={view.voice.date(at)}>
      {view.voice.say(text, { time: view.voice.ago(at, view.now) })}
    </time>
  );
}

function Marked({ text, marks }: { text: string; marks: SearchHit['marks'] }): JSX.Element {
  return (
    <>
      {segmentsOf(text, marks).map((segment) =>
        segment.isMarked ? <mark>{segment.text}</mark> : segment.text,
      )}
    </>
  );
}

function Pager({ view, found }: { view: View; found: Found }): JSX.Element | null {
  const { result, page, query } = found;
  const similar = found.isUnfolded ? 'all' : '';
  const to = (target: number): string =>
    pageLink(view, '/', { q: query.input, page: target > 1 ? String(target) : '', similar });
  if (page === 1 && !result.hasMore) return null;
  return (
    <nav class="pager" aria-label={view.voice.say('search.pager')}>
      {page > 1 && <a rel="prev" href={to(page - 1)}>{`← ${view.voice.say('search.previous')}`}</a>}
      {result.hasMore && <a rel="next" href={to(page + 1)}>{`${view.voice.say('search.next')} →`}</a>}
    </nav>
  );
}

/** Says what was searched, and offers ways to search wider. */
function NothingFound({ view, found }: { view: View; found: Found }): JSX.Element {
  const { voice } = view;
  const { query } = found;
  const words = query.groups.map((group) => group.map((clause) => clause.text).join(' / '));
  const ask = (q: string): string => pageLink(view, '/', { q });
  const withoutSites = query.input.replace(/(^|\s)-?site:\S*/gi, ' ').trim();
  const unquoted = words.join(' ');
  const isStrict = query.excluded.length > 0 || query.groups.flat().some((clause) => clause.isQuoted);
  if (found.page > 1) {
    return (
      <section class="help" role="status">
        <h2>{voice.say('none.beyond')}</h2>
        <a href={ask(query.input)}>{voice.say('none.first')}</a>
      </section>
    );
  }
  return (
    <section class="help" role="status">
      <h2>{voice.say('none.heading')}</h2>
      <p>{voice.say(words.length > 0 ? 'none.searched' : 'none.noWords')}</p>
      <p class="chips">
        {words.map((word) => (
          <span dir="auto">{word}</span>
        ))}
      </p>
      {words.length > 1 && (
        <p class="chips">
          {voice.say('none.fewer')}
          {words.map((word) => (
            <a href={ask(word)} dir="auto">
              {word}
            </a>
          ))}
        </p>
      )}
      {withoutSites !== query.input && withoutSites !== '' && (
        <p>
          <a href={ask(withoutSites)}>{voice.say('none.sites')}</a>
        </p>
      )}
      {isStrict && words.length > 0 && (
        <p>
          <a href={ask(unquoted)}>{voice.say('none.unquoted')}</a>
        </p>
      )}
      <p>{voice.say('none.missing')}</p>
      <pre>freshet explain URL</pre>
    </section>
  );
}

function FirstVisit({ view, status }: { view: View; status: WebStatus }): JSX.Element {
  const { voice } = view;
  return (
    <section class="help">
      <h2>{voice.say('first.heading')}</h2>
      {status.known > 0 && <p>{voice.count('first.known', status.known)}</p>}
      <p>{voice.say('first.crawl')}</p>
      <pre>freshet crawl https://docs.example.org/</pre>
      <p>{voice.say('first.watch')}</p>
      <pre>freshet crawl --watch</pre>
      <p>{voice.say('first.explain')}</p>
      <pre>freshet explain URL</pre>
    </section>
  );
}
