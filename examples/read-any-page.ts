/** From the bytes of an answer to readable text, whatever the charset: for archives, imports and language work. */
import { decodeBody, extractMainContent } from '../src/index.ts'; // yours: from 'freshet'

export interface Readable {
  readonly title: string;
  readonly text: string;
  readonly encoding: string;
}

export function readAnyPage(body: Uint8Array, contentType: string | null, url: string): Readable {
  const { text: html, encoding } = decodeBody(body, contentType);
  const { title, text } = extractMainContent(html, url);
  return { title, text, encoding };
}
