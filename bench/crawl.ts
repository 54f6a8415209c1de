/** The crawl loop on the synthetic web: politeness off, robots on, everything durable; with and without index and archive. */
import type { Crawled, CrawlWork } from './crawl-work.ts';
import { measure } from './measure.ts';
import type { Report } from './report.ts';
import { startSyntheticWeb } from './synthetic-web.ts';

export async function run(report: Report): Promise<void> {
  const { pages, hosts, hasTraps, latencyMs } = report.options;
  const web = await startSyntheticWeb({ pages, hosts, hasTraps, latencyMs });
  try {
    for (const keeps of ['state only', 'index and archive'] as const) {
      const work: CrawlWork = { startUrls: web.startUrls, keeps };
      const { result, wallMs, cpuMs, peakRssBytes } = await measure<Crawled>(
        new URL('./crawl-work.js', import.meta.url),
        work,
      );
      report.row(keeps, {
        pages: result.pages,
        'found %': (100 * result.pages) / pages,
        'pages/s': result.pages / (wallMs / 1_000),
        'CPU s/1,000': cpuMs / result.pages,
        'peak MB': peakRssBytes / 1e6,
        'disk MB': result.diskBytes / 1e6,
        files: result.descriptors,
      });
    }
  } finally {
    await web.close();
  }
  report.note(
    'Wall time includes start-up and closing; the server shares the machine. Compare within one run only.',
  );
}
