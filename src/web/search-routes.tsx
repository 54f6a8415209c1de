/** Searching, for people (`/`) and programs (`/?format=json`, `/api/v1/search`). */
import type { Context, Hono } from 'hono';
import type { Site } from '../config/shape.ts';
import { MAX_QUERY_LENGTH, parseQuery, type Query } from '../search/query.ts';
import type { SearchIndex, SearchOptions, SearchResult } from '../search/search-index.ts';
import { apiResult } from './api.ts';
import { SearchPage } from './pages/search.tsx';
import { respondPage, respondProblem, viewOf, type Web } from './respond.tsx';

/** Nobody reads further, and every page costs the index more than the one before. */
const MAX_OFFSET = 1_000;
const MAX_LIMIT = 100;

export function addSearchRoutes(app: Hono, web: Web): void {
  const { pageSize } = web.config.search;
  const labels = siteLabels(web.config.sites);

  app.get('/', async (context) => {
    const input = queryOf(context);
    const page = wholeNumber(context.req.query('page'), 1, 1, Math.floor(MAX_OFFSET / pageSize) + 1);
    const options = { limit: pageSize, offset: (page - 1) * pageSize, isUnfolded: showsSimilar(context) };
    if (context.req.query('format') === 'json') return respondJson(web, context, input, options);
    const found =
      input === ''
        ? null
        : { ...(await ask(web.index, input, options)), page, pageSize, isUnfolded: options.isUnfolded };
    const status = await web.reads.status();
    return respondPage(
      context,
      <SearchPage view={viewOf(web, context)} status={status} labels={labels} found={found} />,
    );
  });

  app.get('/api/v1/search', (context) => {
    const limit = wholeNumber(context.req.query('limit'), pageSize, 1, MAX_LIMIT);
    const offset = wholeNumber(context.req.query('offset'), 0, 0, MAX_OFFSET);
    return respondJson(web, context, queryOf(context), {
      limit,
      offset,
      isUnfolded: showsSimilar(context),
    });
  });
}

/** The query of a request, as short as the index takes it. */
export function queryOf(context: Context): string {
  return (context.req.query('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH);
}

function showsSimilar(context: Context): boolean {
  return context.req.query('similar') === 'all';
}

async function respondJson(
  web: Web,
  context: Context,
  input: string,
  options: Required<SearchOptions>,
): Promise<Response> {
  if (input === '') return respondProblem(web, context, 400);
  const { result } = await ask(web.index, input, options);
  return context.json(apiResult(input, result, options.limit, options.offset));
}

interface Answered {
  readonly query: Query;
  readonly result: SearchResult;
}

async function ask(index: SearchIndex, input: string, options: SearchOptions): Promise<Answered> {
  const query = parseQuery(input);
  return { query, result: await index.search(query, options) };
}

/** Names of sites by queue key of their start URLs. */
function siteLabels(sites: readonly Site[]): ReadonlyMap<string, string> {
  return new Map(
    sites.flatMap(({ label, start }) =>
      label === null ? [] : start.map((url) => [new URL(url).host, label] as const),
    ),
  );
}

/** A number in a URL, kept within its bounds; `fallback` for what is none. */
function wholeNumber(text: string | undefined, fallback: number, min: number, max: number): number {
  return /^\d{1,9}$/.test(text ?? '') ? Math.min(Math.max(Number(text), min), max) : fallback;
}
