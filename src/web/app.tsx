/**
 * The web application, from request to response; nothing here listens. It only reads (GET, HEAD) but for pushed URLs, which
 * it writes down for the crawler. It runs no script and sets no cookie. Of crawled pages it shows text, which JSX escapes,
 * and inert copies in a sandbox.
 */
import { Hono } from 'hono';
import { VERSION } from '../version.ts';
import { isOwnHost, ownHosts, securityHeaders } from './guard.ts';
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
    if (!isOwnHost(context.req.header('host'), hosts)) return respondProblem(web, context, 421);
    const methods = context.req.path === INDEXNOW_PATH ? ['GET', 'POST'] : ['GET', 'HEAD'];
    if (methods.includes(context.req.method)) return next();
    context.header('Allow', methods.join(', '));
    return respondProblem(web, context, 405);
  });
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
