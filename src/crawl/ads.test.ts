import { expect, test } from 'vitest';
import { ADVERTISING_PRIORITY, linkPriority } from './ads.ts';

test.each([
  'http://a.test/ads/123',
  'http://a.test/x/Ads.php?id=1',
  'http://a.test/adserver/click',
  'https://ad.doubleclick.net/x',
  'https://www.googleadservices.com/pagead/aclk',
  'http://ads.a.test/',
  'http://ads.a.test:8080/x',
  'https://cpro.baidu.com/x',
  'http://a.test/banner/1',
  'http://a.test/advertisement/x.html',
])('advertises: %s', (url) => {
  expect(linkPriority(url)).toBe(ADVERTISING_PRIORITY);
});

test.each([
  'http://a.test/download/x',
  'http://a.test/thread/1',
  'http://a.test/admin/',
  'http://a.test/ad-hoc-reading/',
  'http://a.test/adhoc/ads-and-society.html',
  'http://a.test/advanced',
  'http://a.test/x?ad=1&p=/ads/',
  'https://www.ad.nl/nieuws',
  'https://ad.nl/nieuws',
  'https://ads.co.uk/',
  'https://adsabs.test/',
  'https://notdoubleclick.net/',
  'https://doubleclick.net.a.test/',
  'http://127.0.0.1/',
  'http://ads/',
])('does not: %s', (url) => {
  expect(linkPriority(url)).toBe(0);
});
