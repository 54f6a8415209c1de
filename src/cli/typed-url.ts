/** URLs as people type them. Links on pages never get this help (docs/decisions/0002-url-keys.md). */

/** `docs.example.org/guide` means https; anything with a scheme, even one that cannot be, stays as it is. */
export function typedUrl(text: string): string {
  const hasScheme = /^(?:[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))|[^/?#]+:\/\/)/i.test(text);
  return hasScheme ? text : `https://${text.replace(/^\/\//, '')}`;
}
