/** How the web application answers: pages, problems, assets. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Archive } from '../archive/archive.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/shape.ts';
import type { Log } from '../log.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { ApiProblem } from './api.ts';
import { chooseLanguage, voiceOf } from './language.ts';
import type { View } from './pages/layout.tsx';
import { ProblemPage, type ProblemStatus } from './pages/problem.tsx';
import type { Inbox, WebReads } from './reads.ts';

/** What the web application is made of. */
export interface Web {
  readonly index: SearchIndex;
  readonly archive: Archive;
  readonly reads: WebReads;
  readonly inbox: Inbox;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly config: Pick<Config, 'name' | 'sites' | 'search' | 'serve'>;
}

export function viewOf(web: Web, context: Context): View {
  const language = chooseLanguage(context.req.query('lang'), context.req.header('accept-language'));
  return {
    voice: voiceOf(language),
    name: web.config.name,
    now: web.clock.now(),
    url: new URL(context.req.url),
  };
}

/** An answer may wait for its page to be rendered. */
type Answer = Response | Promise<Response>;

export function respondPage(context: Context, page: JSX.Element, status: 200 | ProblemStatus = 200): Answer {
  context.header('Vary', 'Accept-Language');
  return context.html(html`<!doctype html>${page}`, status);
}

/** A problem, as a page for people and as RFC 9457 JSON for programs. `id` finds a failure in the log. */
export function respondProblem(web: Web, context: Context, status: ProblemStatus, id = ''): Answer {
  const view = viewOf(web, context);
  if (!context.req.path.startsWith('/api/') && context.req.query('format') !== 'json') {
    return respondPage(context, <ProblemPage view={view} status={status} id={id} />, status);
  }
  const { title, detail } = problems[status];
  const problem: ApiProblem = { type: 'about:blank', title, status, detail: detail.replace('{id}', id) };
  return context.body(JSON.stringify(problem), status, { 'Content-Type': 'application/problem+json' });
}

/** A file of ours, the same for everybody. */
export function respondAsset(context: Context, body: string, type: string): Response {
  return context.body(body, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=300' });
}

/** API texts are English, as codes and logs are. */
const problems: Readonly<Record<ProblemStatus, { readonly title: string; readonly detail: string }>> = {
  400: { title: 'Bad request', detail: 'The parameter q, the query, is missing or empty.' },
  403: { title: 'Forbidden', detail: 'A page of another origin had a browser send this.' },
  404: { title: 'Not found', detail: 'There is nothing at this path.' },
  405: { title: 'Method not allowed', detail: 'The Allow header names the methods that are answered.' },
  421: {
    title: 'Misdirected request',
    detail: 'The Host header names none of this server; see serve.allowed_hosts.',
  },
  429: { title: 'Too many requests', detail: 'The Retry-After header says when to go on.' },
  500: { title: 'Internal error', detail: 'The log has the details under {id}.' },
};
