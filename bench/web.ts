/** How fast the synthetic web itself serves: the ceiling of every crawl bench, and a check of its shape. */
import { measure } from './measure.ts';
import type { Report } from './report.ts';
import { startSyntheticWeb } from './synthetic-web.ts';
import type { Drained } from './web-work.ts';

export async function run(report: Report): Promise<void> {
  const { pages, hosts, hasTraps } = report.options;
  const startedAt = performance.now();
  const web = await startSyntheticWeb({ pages, hosts, hasTraps });
  const renderedMs = performance.now() - startedAt;
  try {
    const { result, wallMs, cpuMs } = await measure<Drained>(
      new URL('./web-work.js', import.meta.url),
      web.origins,
    );
    const { pages: seen, bytes, cpuMs: serverMs } = await web.traffic();
    report.row('synthetic web', {
      pages: seen,
      'pages/s': seen / (wallMs / 1_000),
      'client CPU s/1,000': cpuMs / seen,
      'server CPU s/1,000': serverMs / seen,
      'server limit/s': seen / (serverMs / 1_000),
      'wire KB': bytes / result.responses / 1_000,
      'median KB': result.medianBytes / 1_000,
      'mean KB': result.meanBytes / 1_000,
      links: result.meanLinks,
      'gzip %': 100 * result.gzipShare,
      'legacy %': 100 * result.legacyShare,
      'render s': renderedMs / 1_000,
    });
    if (seen !== pages) throw new Error(`links lead to ${seen} of ${pages} pages`);
  } finally {
    await web.close();
  }
}
