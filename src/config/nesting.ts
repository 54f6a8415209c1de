/**
 * Does a YAML text nest without end? Told while it is read, before the rest of the YAML library calls itself once for each
 * level: a few thousand of them are a death by stack that no caller can catch.
 */
import { Lexer, Parser } from 'yaml';

/** Do collections stand within one another deeper than so many levels? */
export function isNestedDeeper(text: string, levels: number): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Tokens come when they are complete; the open ones are what counts.
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > levels) return true;
  }
  return false;
}
