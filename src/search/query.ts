/**
 * What a person types, as plain data (R46). Any text is a query: what cannot be an operator is a word.
 *
 *   two words      both                     "two words"  side by side; also “ ” 「 」, and unclosed
 *   one OR two     one of them              -word -"a b" without
 *   site:a.org     only that host and the hosts below it; -site:a.org leaves them out
 */
import { isStopWord } from './stop-words.ts';
import { scan, type Token } from './tokenize.ts';

/** Words that have to stand side by side: a quoted phrase, the pairs of 人民共和国, the words of node:fs; mostly one. */
export interface Clause {
  /** As typed. */
  readonly text: string;
  /** Tokens in order; never empty. */
  readonly tokens: readonly string[];
  /** The last token may be the beginning of one: a character of a script without spaces behind other words. */
  readonly isPrefix: boolean;
  /** Single tokens that find the same (`email` for e-mail, `driver` for drivers); none for a quoted phrase. */
  readonly spellings: readonly string[];
  readonly isQuoted: boolean;
  /** The tokens are pairs of characters, which may also be looked for one by one. */
  readonly isPairs: boolean;
}

export interface Query {
  readonly input: string;
  /** Every group must match, by one of its clauses. */
  readonly groups: readonly (readonly Clause[])[];
  /** All plain words side by side as typed; pages where they stand so are better. Null when that says nothing new. */
  readonly nearby: Clause | null;
  readonly excluded: readonly Clause[];
  /** Hosts, one of which it must be; empty: any. */
  readonly sites: readonly string[];
  readonly excludedSites: readonly string[];
}

/** Longest input taken, UTF-16 code units; the rest is ignored. */
export const MAX_QUERY_LENGTH = 1000;
/** Most clauses taken, alternatives of a group included: each costs a look-up in the index. */
const MAX_CLAUSES = 32;

/** Parses a query. Never fails; an input without words gives a query without groups, which finds nothing. */
export function parseQuery(input: string): Query {
  const operands = readOperands(input.slice(0, MAX_QUERY_LENGTH));
  const sites = operands.flatMap((operand) => (operand.site === null ? [] : [operand]));
  const wanted = operands.filter((operand) => operand.site === null && !operand.isExcluded);
  const unwanted = operands.filter((operand) => operand.site === null && operand.isExcluded);
  const groups = bounded(withoutStopWords(toGroups(wanted)));
  return {
    input,
    groups,
    nearby: nearbyClause(wanted, groups),
    excluded: unwanted.flatMap((operand) => toClause(operand.text, operand.isQuoted)).slice(0, MAX_CLAUSES),
    sites: sites
      .flatMap(({ site, isExcluded }) => (site === null || isExcluded ? [] : [site]))
      .slice(0, MAX_CLAUSES),
    excludedSites: sites
      .flatMap(({ site, isExcluded }) => (site === null || !isExcluded ? [] : [site]))
      .slice(0, MAX_CLAUSES),
  };
}

interface Operand {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isExcluded: boolean;
  /** Host of a site operator, else null. */
  readonly site: string | null;
  /** An OR stands between the operand in front and this one. */
  readonly isAlternative: boolean;
}

/**
 * One operand with its operators. A minus counts in front of a word only (`kebab-case` and `--flag` are words); marks
 * from Chinese and Japanese keyboards (－ ： “ ” 「 」) are as good as ASCII ones.
 */
const OPERAND =
  /(?<minus>(?<!\S)[-－](?![-－\s]))?(?:(?<![^\s\-－])site[:：](?<site>[^\s"“”„＂「『]+)|["“”„＂](?<quoted>[^"“”„＂]*)["“”„＂]?|「(?<corner>[^」]*)」?|『(?<hollow>[^』]*)』?|(?<word>[^\s"“”„＂「『]+))/giu;
const OR = /^(?:OR|\||｜)$/;

function readOperands(input: string): Operand[] {
  const operands: Operand[] = [];
  let isAlternative = false;
  for (const { groups: found = {} } of input.matchAll(OPERAND)) {
    const quoted = found.quoted ?? found.corner ?? found.hollow;
    const text = quoted ?? found.word ?? found.site ?? '';
    if (found.minus === undefined && found.word !== undefined && OR.test(text)) {
      isAlternative = true;
      continue;
    }
    operands.push({
      text,
      isQuoted: quoted !== undefined,
      isExcluded: found.minus !== undefined,
      site: found.site === undefined ? null : toHost(found.site),
      isAlternative,
    });
    isAlternative = false;
  }
  return operands;
}

/** The host of a site operator, with its port when one is named; null when it cannot be one. */
function toHost(site: string): string | null {
  try {
    return new URL(site.includes('://') ? site : `http://${site}`).host.replace(/^\*?\.|\.$/g, '') || null;
  } catch {
    return null;
  }
}

/** Groups of alternatives. A word that stands alone may give several groups, one for each script in it. */
function toGroups(operands: readonly Operand[]): Clause[][] {
  const groups: Clause[][] = [];
  for (const [index, operand] of operands.entries()) {
    const last = groups.at(-1);
    if (operand.isAlternative && last !== undefined) last.push(...toClause(operand.text, operand.isQuoted));
    else if (operand.isQuoted || operands[index + 1]?.isAlternative)
      groups.push(toClause(operand.text, operand.isQuoted));
    else groups.push(...splitScripts(operand.text).map((clause) => [clause]));
  }
  return groups.filter((group) => group.length > 0);
}

/** Stop words count here: they are most of a title such as The WITH Clause. */
function nearbyClause(operands: readonly Operand[], groups: readonly Clause[][]): Clause | null {
  if (operands.some((operand) => operand.isQuoted || operand.isAlternative)) return null;
  const [clause] = toClause(operands.map((operand) => operand.text).join(' '), true);
  if (clause === undefined || clause.tokens.length > MAX_CLAUSES) return null;
  const isAskedFor = groups.length === 1 && groups[0]?.[0]?.tokens.join(' ') === clause.tokens.join(' ');
  return isAskedFor ? null : clause;
}

/** The whole text as one clause; none when it has no words. */
function toClause(text: string, isQuoted: boolean): Clause[] {
  return makeClause(text, scan(text, null), isQuoted);
}

/** One clause for each stretch of one script, so that Python教程 also finds the two apart. */
function splitScripts(text: string): Clause[] {
  const stretches: Token[][] = [];
  let previous: Token | undefined;
  for (const token of scan(text, null)) {
    if (isInOrder(token)) {
      if (previous === undefined || previous.kind !== token.kind || isRunEnd(previous)) stretches.push([]);
      previous = token;
    }
    stretches.at(-1)?.push(token);
  }
  return stretches.flatMap((tokens) => makeClause(text, tokens, false));
}

function isInOrder(token: Token): boolean {
  return token.kind === 'word' || token.kind === 'pair';
}

function isRunEnd(token: Token): boolean {
  return token.kind === 'pair' && [...token.text].length === 1;
}

function makeClause(text: string, scanned: readonly Token[], isQuoted: boolean): Clause[] {
  const tokens = scanned.filter(isInOrder);
  const [first] = tokens;
  let last = tokens.at(-1);
  if (first === undefined || last === undefined) return [];
  // A run in a page may go on where the query's ends, so the character that ends the run is only asked for by itself.
  if (isRunEnd(last) && tokens.at(-2)?.end === last.end) {
    tokens.pop();
    last = tokens.at(-1) ?? last;
  }
  const { start } = first;
  const { end } = last;
  const spellings = scanned.filter(
    (token) => token.kind === 'spelling' && token.start === start && token.end === end,
  );
  return [
    {
      text: text.slice(start, end),
      tokens: tokens.map((token) => token.text),
      isPrefix: tokens.length > 1 && isRunEnd(last),
      spellings: isQuoted ? [] : spellings.map((token) => token.text),
      isQuoted,
      isPairs: tokens.every((token) => token.kind === 'pair'),
    },
  ];
}

/** The first MAX_CLAUSES of them. */
function bounded(groups: readonly Clause[][]): Clause[][] {
  let room = MAX_CLAUSES;
  return groups.flatMap((group) => {
    const taken = group.slice(0, room);
    room -= taken.length;
    return taken.length === 0 ? [] : [taken];
  });
}

/** Leaves out groups that are a bare stop word, unless nothing else is asked for. */
function withoutStopWords(groups: Clause[][]): Clause[][] {
  const rest = groups.filter(
    (group) => !group.every((clause) => !clause.isQuoted && clause.tokens.every(isStopWord)),
  );
  return rest.length > 0 ? rest : groups;
}
