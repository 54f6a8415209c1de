/** Bodies of requests with the header that says what they are, to be spread into a request. Pure. */

export interface RequestContent {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export type FormFields =
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

/** The fields of a form as a browser sends them (application/x-www-form-urlencoded, in UTF-8), in order. */
export function formBody(fields: FormFields): RequestContent {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  const text = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
  return contentOf('application/x-www-form-urlencoded', text);
}

/** A value as JSON; throws a TypeError for one that JSON has no words for, such as undefined or a circle. */
export function jsonBody(value: unknown): RequestContent {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON has no words for a value of type ${typeof value}`);
  return contentOf('application/json', text);
}

function contentOf(type: string, text: string): RequestContent {
  return { headers: [['Content-Type', type]], body: Buffer.from(text, 'utf8') };
}
