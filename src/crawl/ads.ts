/**
 * Links that advertise go to the end of the queue (R7). Judged by whole words in fixed places, never by the letters
 * "ad": download, thread, admin and /ad-hoc/ are not advertisements.
 */
import { queueKey, registrableDomain } from '../url/site.ts';

/** Priority of an advertising link; 0 is an ordinary one. */
export const ADVERTISING_PRIORITY = -50;

/** `Link.priority` of a normalised URL. */
export function linkPriority(url: string): number {
  return isAdvertising(url) ? ADVERTISING_PRIORITY : 0;
}

/** Registrable domains and hosts that serve advertisements and the redirects behind them. */
const adHosts: ReadonlySet<string> = words(`
  doubleclick.net googlesyndication.com googleadservices.com googletagservices.com 2mdn.net adnxs.com
  amazon-adsystem.com taboola.com outbrain.com criteo.com criteo.net adform.net rubiconproject.com
  pubmatic.com openx.net casalemedia.com smartadserver.com adsrvr.org zedo.com revcontent.com mgid.com
  adroll.com bidswitch.net media.net popads.net propellerads.com adcolony.com awin1.com zanox.com
  tanx.com mmstat.com mediav.com miaozhen.com admaster.com.cn allyes.com irs01.com ipinyou.com
  cpro.baidu.com pos.baidu.com e.cn.miaozhen.com gdt.qq.com l.qq.com sax.sina.com.cn
  adx.yidianzixun.com
`);

/** First label of a host below a registrable domain: `ads.example.org`. */
const adLabels: ReadonlySet<string> = words('ad ads adserver adserv adclick adx adv advert adverts');

/** Path segments, file extension aside, that only ad servers and banner scripts use. */
const adSegments: ReadonlySet<string> = words(`
  ad ads adclick adclicks adserver adserve adframe adredirect adredir adview adlink adlog advert
  adverts advertisement advertisements banner banners bannerclick bannerads sponsored sponsoredlinks
  sponsored-links sponsored-content ad-click ad_click banner-click banner_click
`);

function isAdvertising(url: string): boolean {
  const key = queueKey(url);
  const host = key.replace(/:\d+$/, '');
  return isAdHost(host) || pathSegments(url, key).some((segment) => adSegments.has(segment));
}

function isAdHost(host: string): boolean {
  if (adHosts.has(host)) return true;
  const domain = registrableDomain(host);
  if (domain === null) return false;
  return adHosts.has(domain) || (domain !== host && adLabels.has(host.slice(0, host.indexOf('.'))));
}

function pathSegments(url: string, key: string): string[] {
  const path = url.slice(url.indexOf(key) + key.length).split('?')[0] ?? '';
  return path
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replace(/\.[a-z]+$/, ''));
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
