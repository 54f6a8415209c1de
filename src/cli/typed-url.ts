/** URLs as people type them. Links on pages never get this help (docs/decisions/0002-url-keys.md). */

/** `docs.example.org/guide` means https; anything with a scheme stays as it is. */
export function typedUrl(text: string): string {
  return /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
}
