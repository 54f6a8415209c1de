/**
 * Parts of a URL that say who clicked, not what is shown: campaign tracking and session ids (R4). Names are matched
 * whole and without case; a name that some sites use for content (`ref`, `source`, `id`, `session`) is never on the list.
 */

/** Is this query parameter without influence on the page? `name` is lower case, `value` as in the URL. */
export type NoiseFilter = (name: string, value: string) => boolean;

/**
 * The built-in list, adapted to a site: `drop` names more parameters to ignore (`click_*` means every name that
 * begins so), `keep` names parameters that matter there although the list has them. `keep` wins.
 */
export function noiseFilter(drop: readonly string[] = [], keep: readonly string[] = []): NoiseFilter {
  const kept = new Set(keep.map((name) => name.toLowerCase()));
  const names = drop.map((name) => name.toLowerCase());
  const dropped = new Set(names);
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name, value) => {
    if (kept.has(name)) return false;
    return dropped.has(name) || prefixes.some((prefix) => name.startsWith(prefix)) || isNoise(name, value);
  };
}

/** The built-in list: tracking parameters and session ids. */
export const isNoise: NoiseFilter = (name, value) =>
  name.startsWith('utm_') ||
  trackingNames.has(name) ||
  sessionNames.has(name) ||
  (name.startsWith('aspsessionid') && name.length === 'aspsessionid'.length + 8) ||
  (maybeSessionNames.has(name) && SESSION_TOKEN.test(value));

/** A path without the session ids some servers write into it: `;jsessionid=…` (Servlet) and `/(S(…))/` (ASP.NET). */
export function withoutPathSession(path: string): string {
  return path.includes(';') || path.includes('/(') ? path.replace(PATH_SESSION, '') : path;
}

/**
 * 32 letters and digits in one run: a session id under a name that may also mean content (`?sid=news`). The length is
 * the one web archives use; shorter runs and UUIDs are as often the ids of articles.
 */
const SESSION_TOKEN = /^[0-9a-z]{32,}$/i;

/** ASP.NET puts 24 letters and digits in parentheses, alone or as S(…), A(…), F(…), between two slashes. */
const PATH_SESSION =
  /;(?:jsessionid|phpsessid)=[^/;]*|;sid=[0-9a-z]{32,}(?![^/;])|\/\((?:[0-9a-z]{24}|(?:[a-z]\([0-9a-z]{24}\))+)\)(?=\/)/gi;

const campaignFields = words(`
  source medium campaign content term keyword kwd channel cid group placement
`);

/** Campaign schemes that copy Google's utm_ fields: Matomo, Piwik, AT Internet, Google Ads exports, Baidu Tongji. */
const campaignPrefixes = words('mtm_ matomo_ pk_ piwik_ ga_ itm_ otm_ hmb_ hmsr_ at_');

/** Click ids that advertising networks append. */
const clickIds = words(`
  gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid fbclid msclkid yclid ysclid twclid
  ttclid igsh igshid li_fat_id epik rdt_cid sccid wickedid clickid rb_clickid irclickid zanpid qclid
  bd_vid _openstat tracking_source aftr_source cmpid s_cid s_kwcid ef_id
`);

/** Social networks and portals. */
const socialNames = words(`
  fb_action_ids fb_action_types fb_source fb_ref __twitter_impression action_object_map action_type_map
  action_ref_map ref_src ref_url gs_l gs_lcp sclient spm scm ceneo_spo os_ehash xtor
`);

/** Analytics and newsletter systems. */
const analyticsNames = words(`
  utm ga_place hmsr hmpl hmcu hmkw hmci _ga _gl _gac _hsenc _hsmi __hssc __hstc __hsfp hsctatracking
  mc_cid mc_eid mc_tc mkt_tok ml_subscriber ml_subscriber_hash oly_anon_id oly_enc_id vero_id vero_conv
  wt_mc wt_zmc wtmc wtrid hsa_acc hsa_cam hsa_grp hsa_ad hsa_src hsa_tgt hsa_kw hsa_mt hsa_net hsa_ver
  _bta_tid _bta_c trk_contact trk_msg trk_module trk_sid ss_source ss_campaign_id ss_campaign_name
  ss_email_id echobox
`);

const trackingNames: ReadonlySet<string> = new Set([
  ...campaignPrefixes.flatMap((prefix) => campaignFields.map((field) => prefix + field)),
  ...clickIds,
  ...socialNames,
  ...analyticsNames,
]);

/** Names that mean a session and nothing else. */
const sessionNames: ReadonlySet<string> = new Set(
  words('jsessionid phpsessid aspsessionid asp.net_sessionid cfid cftoken oscsid zenid bv_sessionid xtcsid'),
);

/** Names that mean a session only when the value looks like one. */
const maybeSessionNames: ReadonlySet<string> = new Set(
  words('sid s sess sessid session sessionid session_id _sid lsid'),
);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
