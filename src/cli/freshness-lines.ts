/** Freshness in lines for people: of the whole index, and of one page. */
import { formatSize } from '../config/units.ts';
import type { Plan } from '../crawl/plan.ts';
import type { FreshetReader } from '../node.ts';
import { n } from './crawl-summary.ts';
import { formatTable } from './output/table.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Characters of a line of text. */
const WIDTH = 76;
/** Characters of a bar that stands for 100 %. */
const BAR = 30;

type Freshness = ReturnType<FreshetReader['freshness']['read']>;

/** What `freshet status` says; nothing while no page is held. */
export function freshnessLines(freshness: Freshness, due: number): string[] {
  const { pages, expectedCurrent, meanAgeMs, budget, planned, looks, wasted, savedBytes, curve } = freshness;
  if (pages === 0 || expectedCurrent === null || meanAgeMs === null) return [];
  const aim = budget === null ? '' : ` for a budget of ${n(Math.round(budget))}`;
  return [
    `Freshness  ${percent(expectedCurrent)} believed current · looked at ${span(meanAgeMs)} ago on average · ${n(due)} overdue`,
    `Visits     ${n(Math.round(planned))} a day planned${aim} (${freshness.policy})`,
    `           ${n(wasted)} of ${n(looks)} looks brought a whole body and nothing new · 304 saved ${formatSize(savedBytes)}`,
    '',
    ...formatTable(
      [{ title: 'VISITS A DAY' }, ...curve.map(() => ({ title: '', align: 'right' as const }))].map(
        (column, nth) =>
          nth === 0 ? column : { ...column, title: n(Math.round(curve[nth - 1]?.visitsPerDay ?? 0)) },
      ),
      [['keep current', ...curve.map((point) => percent(point.freshness))]],
    ),
  ];
}

/** What `freshet report interval` says of a page. */
export function planLines(plan: Plan): string[] {
  const next = plan.nextVisitAt === null ? 'never by itself' : time(plan.nextVisitAt);
  return [
    ...wrapped(plan.why).map((line) => `  ${line}`),
    `  last look ${time(plan.lookedAt)} · next ${next} · ${percent(plan.chanceFresh)} likely current now`,
    '  chance that it has changed by then:',
    ...plan.curve.map(({ afterMs, chanceChanged }) => {
      const bar = '█'.repeat(Math.round(chanceChanged * BAR));
      const mark = afterMs === plan.intervalMs ? '  ← planned' : '';
      return `  ${span(afterMs).padStart(7)}  ${bar}${bar === '' ? '' : ' '}${percent(chanceChanged)}${mark}`;
    }),
  ];
}

/** Lines of words that fit a screen. */
function wrapped(text: string): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0.995 || share < 0.005 ? 1 : 0)} %`;
}

function time(at: number): string {
  return new Date(at).toLocaleString('sv').slice(0, 16);
}

function span(ms: number): string {
  if (ms < HOUR_MS) return `${Math.round(ms / 60_000)} min`;
  return ms < 2 * DAY_MS ? `${round(ms / HOUR_MS)} h` : `${round(ms / DAY_MS)} d`;
}

function round(value: number): number {
  return value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
}
