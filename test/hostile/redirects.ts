/** Redirects: loops, fans, targets that are none, and private addresses in every disguise. */
import { answer, type Step } from '../support/raw-server.ts';
import type { Row } from './row.ts';

function to(location: string, status = '302 Found'): Step[] {
  return answer(status, { Location: location });
}

/** What a redirect may lead to and must not be asked: 10.0.0.1 and its like, written in every way, and what is not the web. */
export const disguises: readonly string[] = [
  'http://10.0.0.1/',
  'http://10.1/',
  'http://167772161/',
  'http://012.0.0.01/',
  'http://0xa.0x0.0x0.0x1/',
  'http://0x0a000001/',
  'http://10.0.0.1./',
  'http://%31%30.0.0.1/',
  'http://１０.0.0.1/',
  'http://①⓪。⓪。⓪。①/',
  'http://a.test@10.0.0.1/',
  'http://a.test:pw@10.0.0.1:8080/',
  'http:/\\10.0.0.1/',
  '//10.0.0.1/',
  '\\\\10.0.0.1\\',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://192.168.0.1/',
  'http://172.16.0.1/',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:a00:1]/',
  'http://[::10.0.0.1]/',
  'http://[64:ff9b::a00:1]/',
  'http://[2002:a00:1::]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
];

/** No web at all: such a target is no target. */
const strange: readonly string[] = [
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'ftp://127.0.0.1/',
  'javascript:alert(1)',
  'data:text/html,<p>hello',
  'about:blank',
  'http://[::1/',
  'http://',
];

export const redirects: readonly Row[] = [
  { name: 'to itself', page: to('/page'), fetched: 'redirect', crawled: 'redirected redirect.loop' },
  {
    name: 'in a circle of two',
    page: to('/other'),
    more: { '/other': to('/page') },
    fetched: 'redirect',
    crawled: 'redirected',
    mostRequests: 8,
  },
  {
    name: 'without end, each to another',
    page: to('/hop/1'),
    more: {
      '*': (head) => to(`/hop/${Number(/\/hop\/(\d+)/.exec(head)?.[1] ?? 0) + 1}`),
    },
    fetched: 'redirect',
    crawled: 'redirected',
    mostRequests: 12,
  },
  {
    name: 'to a URL that grows with each',
    page: to('/page/page'),
    more: { '*': (head) => to(`${/ (\S+) /.exec(head)?.[1]}/page`) },
    fetched: 'redirect',
    crawled: 'redirected',
    mostRequests: 12,
  },
  { name: 'to nowhere', page: to(''), fetched: 'redirect', crawled: 'redirected redirect.invalid' },
  {
    name: 'to sixty thousand characters',
    page: to(`/${'a'.repeat(60_000)}`),
    fetched: 'redirect',
    crawled: 'redirected redirect.scope',
  },
  {
    name: 'without a target',
    page: answer('302 Found', {}),
    fetched: 'http-error',
    crawled: 'failed http.unexpected',
  },
  {
    name: 'with a target and an endless body',
    page: [{ send: 'HTTP/1.1 302 Found\r\nLocation: /fine\r\n\r\n' }, { flood: 'x'.repeat(1000) }],
    fetched: 'redirect',
    crawled: 'redirected',
  },
  ...strange.map(
    (target): Row => ({
      name: `to ${target}`,
      page: to(target),
      fetched: 'redirect',
      crawled: 'redirected redirect.invalid',
    }),
  ),
  ...disguises.map(
    (target): Row => ({
      name: `to ${target}`,
      page: to(Buffer.from(target).toString('latin1')),
      fetched: 'redirect',
      crawled: 'redirected redirect.scope',
    }),
  ),
];
