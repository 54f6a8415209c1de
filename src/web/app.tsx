/**
 * The web application, from request to response; nothing here listens. It only reads (GET, HEAD) but for pushed URLs, which
 * it writes down for the crawler. It runs no script and sets no cookie. Of crawled pages it shows text, which JSX escapes,
 * and inert copies in a sandbox.
 */
import { Hono } from 'hono';
import { VERSION } from '../version.ts';
import { limitClients } from './client-limit.ts';
import { isForeignPage, isOwnHost, ownHosts, securityHeaders } from './guard.ts';
import { addIndexNowRoutes, INDEXNOW_PATH } from './indexnow-routes.ts';
import { METRICS_TYPE, metricsText } from './metrics.ts';
import { respondAsset, respondProblem, type Web } from './respond.tsx';
import { addSearchRoutes } from './search-routes.tsx';
import { addSnapshotRoutes } from './snapshot-routes.tsx';
import { icon, stylesheet } from './stylesheet.ts';

export function createApp(web: Web): Hono {
  const app = new Hono();
  const hosts = ownHosts(web.config.serve);

  app.use(securityHeaders);
  app.use(async (context, next) => {
    const { req } = context;
    // The request target may name a host as well (RFC 9112, 3.2.2).
    const named = [req.header('host'), new URL(req.url).host];
    if (!named.every((host) => isOwnHost(host, hosts))) return respondProblem(web, context, 421);
    const isInbox = req.path === INDEXNOW_PATH;
    if (isForeignPage((name) => req.header(name), isInbox)) return respondProblem(web, context, 403);
    const methods = isInbox ? ['GET', 'POST'] : ['GET', 'HEAD'];
    if (methods.includes(req.method)) return next();
    context.header('Allow', methods.join(', '));
    return respondProblem(web, context, 405);
  });
  const limit = limitClients(web);
  for (const path of ['/', '/api/*', '/cache/*', '/metrics']) app.use(path, limit);
  app.notFound((context) => respondProblem(web, context, 404));
  app.onError((error, context) => {
    const id = web.clock.now().toString(36);
    web.log.error('page failed', { id, path: context.req.path, error });
    return respondProblem(web, context, 500, id);
  });

  addSearchRoutes(app, web);
  addSnapshotRoutes(app, web);
  addIndexNowRoutes(app, web);
  app.get('/healthz', async (context) => context.json({ status: 'ok', ...(await web.reads.status()) }));
  app.get('/metrics', async (context) =>
    context.body(metricsText(await web.reads.metrics(), VERSION), 200, { 'Content-Type': METRICS_TYPE }),
  );
  app.get('/style.css', (context) => respondAsset(context, stylesheet, 'text/css; charset=utf-8'));
  app.get('/icon.svg', (context) => respondAsset(context, icon, 'image/svg+xml'));
  return app;
}
