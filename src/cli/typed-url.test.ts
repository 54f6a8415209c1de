import { expect, test } from 'vitest';
import { typedUrl } from './typed-url.ts';

test.each([
  ['docs.example.org', 'https://docs.example.org'],
  ['docs.example.org/guide?x=1', 'https://docs.example.org/guide?x=1'],
  ['docs.example.org:8443/guide', 'https://docs.example.org:8443/guide'],
  ['localhost:8080', 'https://localhost:8080'],
  ['//docs.example.org/', 'https://docs.example.org/'],
  ['http://docs.example.org/', 'http://docs.example.org/'],
  ['HTTPS://docs.example.org/', 'HTTPS://docs.example.org/'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
  ['ftp://example.org/', 'ftp://example.org/'],
  ['ht!tp://example.org/', 'ht!tp://example.org/'],
  ['example.org/?next=http://a.test/', 'https://example.org/?next=http://a.test/'],
])('%s is taken as %s', (typed, url) => expect(typedUrl(typed)).toBe(url));
