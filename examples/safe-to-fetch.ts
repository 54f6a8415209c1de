/**
 * Is it safe to fetch a URL a stranger gave (a webhook, a link preview)? Judges the URL, then every answer of the resolver.
 * Connect to one of the addresses returned, not to the name: resolving again may bring another answer.
 */
import { checkUrl, classifyAddress } from '../src/index.ts'; // yours: from 'freshet'

export type Safe =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly why: string };

export async function safeToFetch(
  url: string,
  resolve: (host: string) => Promise<readonly string[]>,
): Promise<Safe> {
  const checked = checkUrl(url);
  if (!checked.ok) return { ok: false, why: checked.reason };
  const addresses = await resolve(new URL(checked.url).hostname);
  const bad = addresses.map(classifyAddress).find((kind) => kind !== 'public');
  if (bad !== undefined || addresses.length === 0) return { ok: false, why: bad ?? 'unknown host' };
  return { ok: true, addresses };
}
