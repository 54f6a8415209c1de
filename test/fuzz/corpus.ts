/** Inputs to begin with: the conformance cases of test/fixtures and the pages of the demo web. */
import { readFileSync } from 'node:fs';
import { docsSite } from '../../src/demo/docs.ts';
import { newsSite } from '../../src/demo/news.ts';
import { noticesSite } from '../../src/demo/notices.ts';
import { oddSite } from '../../src/demo/odd.ts';
import { type Answer, type DemoSite, type Origins, siteNames } from '../../src/demo/page.ts';
import { trapsSite } from '../../src/demo/traps.ts';
import { MOST_LENGTH } from './target.ts';

type Case = Readonly<Record<string, unknown>>;

/** What `input` makes of the cases of a group that have all `fields`, which are texts. */
export function caseInputs<Field extends string>(
  suite: string,
  group: string,
  fields: readonly Field[],
  input: (texts: Readonly<Record<Field, string>>) => string,
): string[] {
  const cases = (
    JSON.parse(readFileSync(`test/fixtures/cases/${suite}.json`, 'utf8')) as Record<string, Case[]>
  )[group];
  if (cases === undefined) throw new Error(`${suite} has no cases ${group}`);
  const whole = cases.filter((one) => fields.every((field) => typeof one[field] === 'string'));
  if (whole.length === 0) throw new Error(`no case of ${suite} ${group} has ${fields.join(', ')}`);
  return whole.map((one) => input(one as Readonly<Record<Field, string>>));
}

/** Every answer of the demo web that is no longer than an input. */
export function demoAnswers(): Answer[] {
  const origins = Object.fromEntries(siteNames.map((site) => [site, `http://${site}.test`])) as Origins;
  const sites: DemoSite[] = [docsSite(origins), newsSite(), noticesSite(), oddSite(origins, 0), trapsSite()];
  const answers = sites.flatMap(({ pages }) =>
    pages.map(({ path, answer }) => answer({ target: path, count: 0, edition: 0, now: 0 })),
  );
  return answers.filter(({ body }) => body.length <= MOST_LENGTH);
}
