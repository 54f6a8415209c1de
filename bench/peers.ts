/**
 * Freshet beside other crawlers on the same synthetic web, in one run: ratios are what counts. The peers are not
 * dependencies; install them somewhere and say where:
 *
 *   npm install --prefix /tmp/peers @crawlee/http@3 @crawlee/cheerio@3
 *   PEERS=/tmp/peers npm run bench -- peers --pages 3000
 */
import type { Crawled, CrawlWork } from './crawl-work.ts';
import { measure } from './measure.ts';
import type { PeerWork } from './peers-work.ts';
import type { Report } from './report.ts';
import { startSyntheticWeb } from './synthetic-web.ts';

export async function run(report: Report): Promise<void> {
  const folder = process.env['PEERS'];
  if (folder === undefined) {
    report.note('skipped: PEERS names no folder with other crawlers (see bench/peers.ts)');
    return;
  }
  const { pages, hosts } = report.options;
  const web = await startSyntheticWeb({ pages, hosts });
  const row = async (name: string, module: string, work: CrawlWork | PeerWork): Promise<void> => {
    const { result, wallMs, cpuMs, peakRssBytes } = await measure<Pick<Crawled, 'pages'>>(
      new URL(module, import.meta.url),
      work,
    );
    report.row(name, {
      pages: result.pages,
      'found %': (100 * result.pages) / pages,
      'pages/s': result.pages / (wallMs / 1_000),
      'CPU s/1,000': cpuMs / result.pages,
      'peak MB': peakRssBytes / 1e6,
    });
  };
  try {
    const { startUrls } = web;
    await row('Freshet, state only', './crawl-work.js', { startUrls, keeps: 'state only' });
    await row('Freshet, index and archive', './crawl-work.js', { startUrls, keeps: 'index and archive' });
    for (const peer of ['HttpCrawler', 'CheerioCrawler'] as const) {
      await row(`Crawlee ${peer}, in memory`, './peers-work.js', { startUrls, peer, folder });
    }
  } finally {
    await web.close();
  }
}
