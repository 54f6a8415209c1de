/** The heart of a small crawler: which links of a page to follow, each page once, within a domain and robots.txt. */
import { normalizeUrl, parseHtml, parseRobots, registrableDomain } from '../src/index.ts'; // yours: from 'freshet'

export function linksToFollow(html: string, url: string, robotsTxt: string): string[] {
  const page = parseHtml(html, url);
  if (!page.robots.follow) return [];
  const rules = parseRobots(robotsTxt, 'mybot');
  const home = registrableDomain(new URL(url).hostname);
  const keys = page.links
    .filter((link) => !link.nofollow && rules.isAllowed(link.url))
    .filter((link) => registrableDomain(new URL(link.url).hostname) === home)
    .map((link) => normalizeUrl(link.url));
  return [...new Set(keys.filter((key) => key !== null))];
}
