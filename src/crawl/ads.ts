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

/** Every one of `adSegments` contains one of these; most paths do not, and need no closer look. */
const SUSPICIOUS = /ad|banner|sponsor/i;

function isAdvertising(url: string): boolean {
  const key = queueKey(url);
  if (isAdHost(key.replace(/:\d+$/, ''))) return true;
  const path = url.slice(url.indexOf(key) + key.length).split('?')[0] ?? '';
  return SUSPICIOUS.test(path) && segmentsOf(path).some((segment) => adSegments.has(segment));
}

function isAdHost(host: string): boolean {
  for (let at = 0; at !== -1; at = nextLabel(host, at)) if (adHosts.has(host.slice(at))) return true;
  if (!adLabels.has(host.slice(0, Math.max(0, host.indexOf('.'))))) return false;
  const domain = registrableDomain(host);
  return domain !== null && domain !== host;
}

/** Where the next label of a host name begins; -1 after the last. */
function nextLabel(host: string, at: number): number {
  const dot = host.indexOf('.', at);
  return dot === -1 ? -1 : dot + 1;
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replace(/\.[a-z]+$/, ''));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
