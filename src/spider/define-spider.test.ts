import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UserError } from '../errors.ts';
import { defineSpider } from './define-spider.ts';

const start = ['https://example.org/'];
const parse = (): undefined => undefined;

describe('types', () => {
  test('labels and items are known without an annotation, and a misspelt one does not compile', () => {
    const spider = defineSpider({
      name: 'notices',
      start,
      item: z.object({
        url: z.string(),
        title: z.string().min(1),
        date: z.coerce.date(),
        dept: z.string().optional(),
      }),
      async *parse({ $, follow }) {
        for (const link of $('ul.list a')) yield follow(link, 'notice');
        // @ts-expect-error there is no such handler
        yield follow('/x', 'notise');
        yield* follow.all('a.next');
      },
      handlers: {
        async *notice({ url, text, log }) {
          log.debug('notice', { url });
          yield { url, title: text('h1') ?? '', date: text('time'), dept: text('.dept') };
        },
        // @ts-expect-error the schema wants a title
        async *wrong({ url }) {
          yield { url, titel: 'x', date: '2026-01-01' };
        },
      },
      pipelines: [
        (item) => !item.title.includes('test'),
        // What was a string or undefined in the handler is a Date here.
        (item) => ({ ...item, date: new Date(item.date.getTime() + 1) }),
        async (item, { index }) => {
          await index({ title: item.title });
        },
        // @ts-expect-error items have no such field
        (item) => item.titel === undefined,
      ],
    });
    expect([...spider.handlers.keys()].sort()).toEqual(['notice', 'parse', 'wrong']);
    expect(spider.stages.map(({ name }) => name)).toEqual(['step 1', 'step 2', 'step 3', 'step 4']);
  });

  test('handlers may be plain functions that return lists, and need no schema', () => {
    const spider = defineSpider({
      name: 'plain',
      start: [{ url: 'https://example.org/', label: 'list', priority: 5 }],
      handlers: {
        list: ({ follow }) => follow.all('a', 'detail'),
        detail: ({ url }) => [{ url, anything: 1 }],
      },
    });
    expect(spider.name).toBe('plain');
  });
});

describe('a wrong definition is refused in one line', () => {
  test.each([
    [
      'a name with a space',
      { name: 'a b', start, parse },
      `a spider's name is made of letters, digits, - and _: "a b"`,
    ],
    ['no handler', { name: 'x', start }, 'spider x: it has no handler: give it parse'],
    [
      'a start that is no URL',
      { name: 'x', start: ['ftp://a'], parse },
      'spider x: start "ftp://a" is not a web address',
    ],
    [
      'a start without a handler',
      { name: 'x', start, handlers: { list: parse } },
      'spider x: there is no handler "parse" for start https://example.org/',
    ],
    [
      'a delay',
      { name: 'x', start, parse, delays: { host: 'soon' } },
      'spider x: delays.host "soon" is no delay',
    ],
    [
      'a range the wrong way round',
      { name: 'x', start, parse, delays: { request: ['3s', '1s'] as const } },
      'spider x: delays.request ["3s","1s"] is no delay',
    ],
    [
      'a limit',
      { name: 'x', start, parse, limits: { items: 0 } },
      'spider x: limits.items must be a whole number of 1 or more',
    ],
    [
      'a time limit',
      { name: 'x', start, parse, limits: { time: 'long' } },
      'spider x: limits.time "long" is no duration',
    ],
    [
      'the delay of a stage',
      { name: 'x', start, parse, pipelines: [{ name: 'save', delay: '-1s', process: parse }] },
      'spider x: the delay "-1s" of save is no delay',
    ],
  ])('%s', (_, definition, message) => {
    expect(() => defineSpider(definition)).toThrow(new UserError('config', message));
  });
});
