/** Stored copies: the viewer at `/cache/:id`, and the inert document in its frame at `/cache/:id/raw`. */
import type { Context, Hono } from 'hono';
import type { Snapshot } from '../archive/archive.ts';
import { decodeAs } from '../parse/legacy-encodings.ts';
import { parseQuery } from '../search/query.ts';
import { findMarks } from '../search/snippet.ts';
import { InTransit } from './in-transit.ts';
import { inertHeaders, inertHtml, inertText, type Marker } from './inert.ts';
import { SnapshotPage } from './pages/snapshot.tsx';
import type { PageInfo } from './reads.ts';
import { respondPage, respondProblem, viewOf, type Web } from './respond.tsx';
import { queryOf } from './search-routes.tsx';

/** Copies that are on their way at once: a person opens one at a time, and 5 MB that are all quotation marks become 30. */
export const MOST_IN_TRANSIT = 8;

export function addSnapshotRoutes(app: Hono, web: Web): void {
  const copies = new InTransit(MOST_IN_TRANSIT);

  app.get('/cache/:id{[0-9]{1,15}}', async (context) => {
    const id = Number(context.req.param('id'));
    const page = await web.reads.page(id);
    if (page === null) return respondProblem(web, context, 404);
    const snapshot = await snapshotOf(web, id, page);
    const takenAt = snapshot?.at ?? null;
    const view = viewOf(web, context);
    const props = { view, id, page, takenAt, query: queryOf(context) };
    return respondPage(context, <SnapshotPage {...props} />, takenAt === null ? 404 : 200);
  });

  app.get('/cache/:id{[0-9]{1,15}}/raw', async (context) => {
    const id = Number(context.req.param('id'));
    const page = await web.reads.page(id);
    const snapshot = page === null ? null : await snapshotOf(web, id, page);
    if (snapshot === null) return respondProblem(web, context, 404);
    if (!copies.enter(context)) {
      context.header('Retry-After', '1');
      return respondProblem(web, context, 429);
    }
    return context.body(inertBody(web, context, snapshot), 200, {
      ...inertHeaders,
      'Content-Type': 'text/html; charset=utf-8',
    });
  });
}

/** The newest copy, if the page permits that one is shown. */
async function snapshotOf(web: Web, id: number, page: PageInfo): Promise<Snapshot | null> {
  return page.hasSnapshot ? await web.archive.read(id) : null;
}

function inertBody(web: Web, context: Context, snapshot: Snapshot): string {
  const mark = markerOf(queryOf(context));
  switch (kindOf(snapshot)) {
    case 'html':
      return inertHtml(decodeAs(snapshot.bytes, snapshot.encoding), snapshot.url, mark);
    case 'text':
      return inertText(decodeAs(snapshot.bytes, snapshot.encoding), mark);
    case 'other':
      return inertText(viewOf(web, context).voice.say('snapshot.kind'), () => []);
  }
}

/** Servers that name no type mostly send HTML. */
function kindOf(snapshot: Snapshot): 'html' | 'text' | 'other' {
  const header = snapshot.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text/html';
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  return type.startsWith('text/') ? 'text' : 'other';
}

function markerOf(input: string): Marker {
  const query = parseQuery(input);
  return query.groups.length === 0 ? () => [] : (text) => findMarks(text, query, null);
}
