/** The honest agent string (R14). Pure. */
import type { Config } from './shape.ts';

/** Product token robots.txt addresses us by. */
export const PRODUCT = 'freshet';

/**
 * `freshet/0.1.0 (+https://example.org/bot)`: product, version, and how to reach the person behind it
 * (RFC 9110, 10.1.5; the plus is custom for crawlers). Without a contact only product and version.
 */
export function userAgentOf(config: Pick<Config, 'contact' | 'userAgent'>, version: string): string {
  const comment = config.userAgent ?? (config.contact === null ? null : `+${config.contact}`);
  return comment === null ? `${PRODUCT}/${version}` : `${PRODUCT}/${version} (${comment})`;
}
