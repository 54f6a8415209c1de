/** Every target by its name. A new one is a file in targets/ and a line here. */
import type { Target } from './target.ts';
import { charsetTarget } from './targets/charset.ts';
import { directivesTarget } from './targets/directives.ts';
import { codingsTarget, headersTarget } from './targets/headers.ts';
import { listsTarget } from './targets/lists.ts';
import { copiesTarget, pagesTarget } from './targets/pages.ts';
import { robotsTarget } from './targets/robots.ts';
import { globsTarget, urlsTarget } from './targets/urls.ts';

export const targets: Readonly<Record<string, () => Target>> = {
  charset: charsetTarget,
  codings: codingsTarget,
  copies: copiesTarget,
  directives: directivesTarget,
  globs: globsTarget,
  headers: headersTarget,
  lists: listsTarget,
  pages: pagesTarget,
  robots: robotsTarget,
  urls: urlsTarget,
};

export function targetNamed(name: string): Target {
  const make = targets[name];
  if (make === undefined) throw new Error(`no target ${name}; there are ${Object.keys(targets).join(', ')}`);
  return make();
}
