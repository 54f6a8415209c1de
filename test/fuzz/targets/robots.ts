/** robots.txt: the first line is the URL that is asked about, the rest the file. */
import assert from 'node:assert/strict';
import { compilePattern, matchesPattern, type PathPattern, pathToMatch } from '../../../src/robots/match.ts';
import { parseRobots, type RobotsRules } from '../../../src/robots/parse.ts';
import { caseInputs } from '../corpus.ts';
import { bytesOf, cutLine, octets, type Target } from '../target.ts';

const BASE = 'http://a.test/robots.txt';
/** A group of somebody else's. The rule in front of it, which says nothing, ends a group that has none of its own. */
const STRANGER = '\nDisallow:\nUser-agent: stranger\nDisallow: /\n';

export function robotsTarget(): Target {
  return {
    corpus: caseInputs('robots', 'match', ['robots', 'ua', 'url'], ({ robots, ua, url }) =>
      octets(`${url}\n${robots.replaceAll(ua, 'freshet')}`),
    ),
    words: [
      ...[
        '/',
        '/a',
        '/*',
        '*',
        '$',
        '%2f',
        '%2A',
        '%',
        '\xc3\xa9',
        '?',
        '#',
        ' ',
        ':',
        '\r',
        '\n',
        '\r\n',
        '\0',
        '\xef\xbb\xbf',
      ],
      ...[
        'User-agent: *\n',
        'User-agent: freshet\n',
        'user agent freshet/1\n',
        'Disallow: /\n',
        'Allow: /a*b$\n',
        'Disallow:\n',
      ],
      ...[
        'Crawl-delay: 1.5\n',
        'Crawl-delay: 1e9\n',
        'Sitemap: /s.xml\n',
        'Dissalow: /x',
        '/robots.txt',
        'http://a.test/',
      ],
    ],
    run(input) {
      const [url, file] = cutLine(input);
      const body = bytesOf(file);
      const rules = parseRobots(body, 'freshet', BASE);
      const isAllowed = rules.isAllowed(url);
      const deciding = rules.matchingRule(url);
      return () => {
        assert.equal(isAllowed, deciding?.allow ?? pathToMatch(url) !== null, 'a verdict is its rule');
        if (pathToMatch(url) === '/robots.txt') assert.equal(isAllowed, true, 'robots.txt itself is allowed');
        const delay = rules.crawlDelayMs;
        assert.ok(delay === null || (delay >= 0 && Number.isFinite(delay)), 'a delay is a time');
        for (const sitemap of rules.sitemaps)
          assert.match(sitemap, /^https?:/, 'a sitemap has a web address');
        // A file in UTF-16 has no octets to put something behind.
        if (!/^(?:fffe|feff)/.test(Buffer.from(body).toString('hex'))) checkOrder(url, file, rules);
        checkMatch(url, file);
      };
    },
  };
}

/** The order of groups says nothing, nor does what is said to others, nor that something is said twice. */
function checkOrder(url: string, file: string, rules: RobotsRules): void {
  const text = file.replace(/^\xef\xbb\xbf/, '');
  const half = text.indexOf('\n', text.length / 2) + 1;
  const [first, second] = [text.slice(0, half), text.slice(half)];
  const verdict = ({ isAllowed, crawlDelayMs }: RobotsRules): unknown[] => [isAllowed(url), crawlDelayMs];
  const of = (octets: string): unknown[] => verdict(parseRobots(bytesOf(octets), 'freshet', BASE));
  assert.deepEqual(of(text + STRANGER), verdict(rules), 'what is said to others afterwards changes nothing');
  assert.deepEqual(of(STRANGER + text), verdict(rules), 'what is said to others before changes nothing');
  assert.deepEqual(of(text + STRANGER + text), verdict(rules), 'saying it twice changes nothing');
  assert.deepEqual(
    of(first + STRANGER + second),
    of(STRANGER + second + STRANGER + first),
    'order of groups changes nothing',
  );
}

/** Each line as a pattern: the matcher agrees with one that tries everything. */
function checkMatch(url: string, file: string): void {
  const path = pathToMatch(url);
  if (path === null || path.length > 200) return;
  for (const line of file.split('\n', 20)) {
    const pattern = compilePattern(line.replace(/^\w+:? /, '').slice(0, 200));
    if (pattern !== null)
      assert.equal(
        matchesPattern(pattern, path),
        matchesSlowly(pattern, path),
        'the matcher agrees with a naive one',
      );
  }
}

/** All places a pattern can have got to, piece by piece. */
function matchesSlowly({ pieces, isAnchored }: PathPattern, path: string): boolean {
  let ends = [0];
  for (const [index, piece] of pieces.entries()) {
    const starts =
      index === 0
        ? ends
        : Array.from({ length: path.length + 1 }, (_, at) => at).filter((at) => at >= Math.min(...ends));
    ends = starts.filter((at) => path.startsWith(piece, at)).map((at) => at + piece.length);
    if (ends.length === 0) return false;
  }
  return !isAnchored || ends.includes(path.length);
}
