/** Pages for what goes wrong. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { MessageKey } from '../messages/en.ts';
import { Layout, pageLink, type View } from './layout.tsx';

export type ProblemStatus = 400 | 403 | 404 | 405 | 421 | 429 | 500;

interface ProblemPageProps {
  readonly view: View;
  readonly status: ProblemStatus;
  /** Finds the failure in the log; for 500 only. */
  readonly id: string;
}

export function ProblemPage({ view, status, id }: ProblemPageProps): JSX.Element {
  const { voice } = view;
  const heading = voice.say(headings[status]);
  return (
    <Layout view={view} title={heading}>
      <section class="help">
        <h1>{heading}</h1>
        {status === 421 && <p>{voice.say('error.421.help')}</p>}
        {status === 500 && <p>{voice.say('error.500.help', { id })}</p>}
        {status !== 421 && <a href={pageLink(view, '/')}>{voice.say('error.home')}</a>}
      </section>
    </Layout>
  );
}

const headings: Readonly<Record<ProblemStatus, MessageKey>> = {
  400: 'error.400',
  403: 'error.403',
  404: 'error.404',
  405: 'error.405',
  421: 'error.421',
  429: 'error.429',
  500: 'error.500',
};
