/** Pages that check whether their visitor is a person, known by what only such pages carry; pure. */

/** Checks come as small pages; what a large one holds further down is not looked at. UTF-16 code units. */
const LOOKED_AT = 32_768;

/**
 * Strings of the well-known kinds. Each stands only in the page that takes the place of another, never in what the same
 * product adds to ordinary pages.
 */
const MARKS: readonly string[] = [
  '_cf_chl_opt', // Cloudflare
  'cf-browser-verification',
  'cf-error-details',
  '_Incapsula_Resource?CWUDNSAI', // Imperva
  'Incapsula incident ID',
  'captcha-delivery.com/', // DataDome
  'px-captcha', // HUMAN, once PerimeterX
  'window.gokuProps', // AWS WAF
  'sucuri_cloudproxy_js', // Sucuri
  '/.well-known/sgcaptcha/', // SiteGround
  '/.well-known/ddos-guard/js-challenge', // DDoS-Guard
  '/.within.website/x/', // Anubis
  'acw_sc__v2', // Alibaba Cloud
  'aliyun_waf_',
];

/** Does a page carry such a mark? Linear. */
export function hasChallengeMark(html: string): boolean {
  const start = html.slice(0, LOOKED_AT);
  return MARKS.some((mark) => start.includes(mark));
}
