/** Every target by its name. A new one is a file in targets/ and a line here. */
import type { Target } from './target.ts';
import { charsetTarget } from './targets/charset.ts';
import { configTarget } from './targets/config.ts';
import { directivesTarget } from './targets/directives.ts';
import { codingsTarget, headersTarget } from './targets/headers.ts';
import { listsTarget } from './targets/lists.ts';
import { copiesTarget, pagesTarget } from './targets/pages.ts';
import { indexNowTarget, requestHeadersTarget } from './targets/requests.ts';
import { robotsTarget } from './targets/robots.ts';
import { searchTarget } from './targets/search.ts';
import { globsTarget, urlsTarget } from './targets/urls.ts';
import { warcTarget } from './targets/warc.ts';

export const targets: Readonly<Record<string, () => Target>> = {
  charset: charsetTarget,
  codings: codingsTarget,
  config: configTarget,
  copies: copiesTarget,
  directives: directivesTarget,
  globs: globsTarget,
  headers: headersTarget,
  indexnow: indexNowTarget,
  lists: listsTarget,
  pages: pagesTarget,
  requests: requestHeadersTarget,
  robots: robotsTarget,
  search: searchTarget,
  urls: urlsTarget,
  warc: warcTarget,
};

export function targetNamed(name: string): Target {
  const make = targets[name];
  if (make === undefined) throw new Error(`no target ${name}; there are ${Object.keys(targets).join(', ')}`);
  return make();
}
