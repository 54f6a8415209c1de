/** Says what is wrong with a configuration: one line each, with the place, the option, and what was probably meant. Pure. */
import { type Layer, originOf } from './layers.ts';
import { nearest } from './nearest.ts';
import { optionPaths, type Problem } from './schema.ts';

/** Lines such as `freshet.yaml:9: scope.depht is not an option; did you mean scope.depth?`. */
export function describeProblems(problems: readonly Problem[], layer: Layer): string {
  return problems.map((problem) => describe(problem, layer)).join('\n');
}

function describe({ path, message, found }: Problem, layer: Layer): string {
  const origin = originOf(layer, path);
  const place = origin === null ? '' : `${origin}: `;
  const name = path.replace(/\.(\d+)(?=\.|$)/g, '[$1]') || 'the configuration';
  if (message !== null)
    return `${place}${name} ${message}${found === undefined ? '' : ` (found ${show(found)})`}`;
  const meant = suggestion(path);
  return `${place}${name} is not an option${meant === null ? '' : `; did you mean ${meant}?`}`;
}

/** The option meant by a wrong path: one with the same name in another block, or the nearest spelling. */
function suggestion(path: string): string | null {
  const known = [...optionPaths(), ...siteOptions, ...blocksOf(optionPaths())];
  const generic = path.replace(/^sites\.\d+\./, 'sites[].');
  const name = generic.slice(generic.lastIndexOf('.') + 1);
  const parent = generic.slice(0, generic.length - name.length);
  const siblings = known.filter(
    (option) => option.startsWith(parent) && !option.slice(parent.length).includes('.'),
  );
  const sibling = nearest(generic, siblings, Math.max(2, Math.floor(name.length / 3)));
  return sibling ?? known.find((option) => option.endsWith(`.${name}`)) ?? null;
}

const siteOptions = ['start', 'include', 'exclude', 'sitemaps', 'label'].map((name) => `sites[].${name}`);

function blocksOf(paths: readonly string[]): string[] {
  return [
    ...new Set(
      paths
        .map((path) => path.slice(0, path.lastIndexOf('.')))
        .filter((path) => path !== '' && !path.endsWith(']')),
    ),
  ];
}

/** A value as JSON, shortened to fit a line; its type when JSON has no words for it. */
function show(value: unknown): string {
  const text = json(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined; // it holds itself, or a bigint
    throw error;
  }
}
