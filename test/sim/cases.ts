/** Names of conformance cases, for titles of tests. A case that does not exist is an error. */
import { readFileSync } from 'node:fs';

interface Case {
  readonly id: string;
  readonly level?: string;
  readonly name?: string;
  readonly symptom?: string;
  readonly why?: string;
}

/** `bug-002 Crawl-delay … is read but not applied` */
export function bug(id: string): string {
  return titleOf(bugs, id);
}

/** A case of one group of a suite in test/fixtures/cases. */
export function caseOf(suite: string, group: string, id: string): string {
  return titleOf(casesOf(suite, group), id);
}

/** All cases of a group. */
export function casesOf<T extends Case>(suite: string, group: string): readonly T[] {
  const text = readFileSync(`test/fixtures/cases/${suite}.json`, 'utf8');
  return (JSON.parse(text) as Record<string, readonly T[]>)[group] ?? [];
}

/** Cases of bugs.jsonl. */
export const bugs: readonly Case[] = readFileSync('test/fixtures/cases/bugs.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

function titleOf(cases: readonly Case[], id: string): string {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  return `${id} ${found.symptom ?? found.name ?? found.why ?? ''}`;
}
