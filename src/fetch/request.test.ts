import { describe, expect, test } from 'vitest';
import { type AskedRequest, headerProblem, isIdempotent, type Method, requestProblem } from './request.ts';
import { formBody, jsonBody } from './request-body.ts';

const SECRET = 'hunter2';
const body = Buffer.from('x');

describe('a header field', () => {
  test.each([
    ['X-Token', 'abc'],
    ['accept', 'application/json'],
    ['Authorization', 'Bearer a.b.c'],
    ["!#$%&'*+-.^_`|~09azAZ", 'any character of a token'],
    ['X-Empty', ''],
    ['X-Latin-1', 'caf\xe9'],
    ['X-Tab', 'a\tb'],
    ['constructor', 'no word of JavaScript is special'],
  ])('%j with %j may be sent', (name, value) => {
    expect(headerProblem(name, value)).toBeNull();
  });

  test.each([
    ...['Host', 'CONNECTION', 'content-length', 'Transfer-Encoding', 'Trailer', 'TE', 'Expect', 'Upgrade'],
    ...['Keep-Alive', 'Proxy-Connection', 'HTTP2-Settings', 'Accept-Encoding', 'User-Agent', 'From'],
    ...['Proxy-Authorization', 'If-None-Match', 'If-Modified-Since', 'Range', 'If-Range', 'A-IM'],
  ])('%s is not for requests to set', (name) => {
    expect(headerProblem(name, SECRET)).toMatch(/is not for requests to set/);
  });

  test.each([
    ['', SECRET],
    ['X Token', SECRET],
    ['X-Token:', SECRET],
    [`Authorization: Bearer ${SECRET}`, ''],
    ['X-Tok\u0000en', SECRET],
    ['X-Tokén', SECRET],
    ['X-Token\n', SECRET],
    ['X-Token', `${SECRET}\r\nX-Injected: 1`],
    ['X-Token', `${SECRET}\n`],
    ['X-Token', `${SECRET}\r`],
    ['X-Token', `${SECRET}\u0000`],
    ['X-Token', `${SECRET}\u007f`],
    ['X-Token', `${SECRET}蜘蛛`],
    ['X-Token', ` ${SECRET}`],
    ['X-Token', `${SECRET}\t`],
    ['X-Token', ' '],
  ])('%j with %j is a problem, told without the value', (name, value) => {
    const problem = headerProblem(name, value);
    expect(problem).toMatch(/^[\x20-\x7e]+$/);
    expect(problem).not.toContain(SECRET);
  });
});

describe('a request', () => {
  test.each<AskedRequest>([
    {},
    { method: 'HEAD' },
    { method: 'DELETE', body },
    { method: 'POST' },
    {
      method: 'PUT',
      body,
      headers: [
        ['X-Many', '1'],
        ['x-many', '2'],
      ],
    },
  ])('%j may be sent', (request) => {
    expect(requestProblem(request)).toBeNull();
  });

  test.each<[object, RegExp]>([
    [{ method: 'get' }, /"get" is none of GET, HEAD/],
    [{ method: 'CONNECT' }, /"CONNECT" is none of/],
    [{ method: 'TRACE' }, /"TRACE" is none of/],
    [{ body }, /a GET request has no body/],
    [{ method: 'HEAD', body }, /a HEAD request has no body/],
    [{ method: 'POST', body: 'text' }, /no Uint8Array/],
    [{ headers: [['Host', 'b.test']] }, /Host is not for requests/],
    ...['Cookie', 'Authorization', 'Content-Type'].map((name): [object, RegExp] => [
      {
        headers: [
          [name, 'a'],
          [name.toLowerCase(), 'b'],
        ],
      },
      /is set twice/,
    ]),
  ])('%j may not', (request, problem) => {
    expect(requestProblem(request)).toMatch(problem);
  });

  test.each<[Method, boolean]>([
    ['GET', true],
    ['HEAD', true],
    ['PUT', true],
    ['DELETE', true],
    ['POST', false],
    ['PATCH', false],
  ])('%s may be sent twice: %s', (method, isRepeatable) => {
    expect(isIdempotent(method)).toBe(isRepeatable);
  });
});

describe('a body', () => {
  test.each<[Parameters<typeof formBody>[0], string]>([
    [{}, ''],
    [{ user: 'a b', password: 'c&d=e+f%' }, 'user=a+b&password=c%26d%3De%2Bf%25'],
    [
      [
        ['tag', '1'],
        ['tag', '2'],
      ],
      'tag=1&tag=2',
    ],
    [{ q: '蜘蛛\r\né' }, 'q=%E8%9C%98%E8%9B%9B%0D%0A%C3%A9'],
    [{ q: '\ud800' }, 'q=%EF%BF%BD'],
  ])('of the form %j is %s', (fields, text) => {
    const { headers, body } = formBody(fields);
    expect(headers).toEqual([['Content-Type', 'application/x-www-form-urlencoded']]);
    expect(Buffer.from(body).toString('latin1')).toBe(text);
  });

  test('of JSON is UTF-8', () => {
    const { headers, body } = jsonBody({ q: ['蜘蛛', null, 1] });
    expect(headers).toEqual([['Content-Type', 'application/json']]);
    expect(Buffer.from(body).toString('utf8')).toBe('{"q":["蜘蛛",null,1]}');
  });

  test.each([[undefined], [() => 1], [Symbol('a')], [1n]])(
    'of what JSON has no words for is an error: %s',
    (value) => {
      expect(() => jsonBody(value)).toThrow(TypeError);
    },
  );
});
