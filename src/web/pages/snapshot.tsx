/** The viewer of a stored page: a bar that tells what it is, above a sandboxed frame. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { PageInfo } from '../reads.ts';
import { displayUrl, linkable } from '../safe-text.ts';
import { Layout, pageLink, type View } from './layout.tsx';

interface SnapshotPageProps {
  readonly view: View;
  readonly id: number;
  readonly page: PageInfo;
  /** When the copy was made; null: no copy can be shown. */
  readonly takenAt: number | null;
  /** Words to mark in the copy. */
  readonly query: string;
}

export function SnapshotPage({ view, id, page, takenAt, query }: SnapshotPageProps): JSX.Element {
  const { voice } = view;
  const title = page.title.trim() === '' ? displayUrl(page.url) : page.title;
  const heading = voice.say('snapshot.title', { title });
  return (
    <Layout view={view} title={heading} isWide={takenAt !== null}>
      <div class="bar">
        {takenAt !== null && <h1 class="unseen">{heading}</h1>}
        <p>
          {voice.say('snapshot.original')} <Original url={page.url} />
        </p>
        {takenAt === null ? (
          <NoCopy view={view} page={page} />
        ) : (
          <Copy view={view} page={page} takenAt={takenAt} />
        )}
      </div>
      {takenAt !== null && (
        <iframe
          class="copy"
          title={voice.say('snapshot.frame')}
          src={pageLink(view, `/cache/${id}/raw`, { q: query })}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
        />
      )}
    </Layout>
  );
}

function Original({ url }: { url: string }): JSX.Element {
  const href = linkable(url);
  const text = displayUrl(url);
  return href === null ? (
    <bdi>{text}</bdi>
  ) : (
    <a href={href} rel="noopener noreferrer nofollow" dir="ltr">
      {text}
    </a>
  );
}

function Copy({ view, page, takenAt }: { view: View; page: PageInfo; takenAt: number }): JSX.Element {
  const { voice } = view;
  return (
    <p>
      <time datetime={new Date(takenAt).toISOString()}>
        {voice.say('snapshot.from', { time: voice.date(takenAt) })}
      </time>{' '}
      {voice.say('snapshot.verified', { time: voice.ago(page.fetchedAt, view.now) })}{' '}
      {voice.say('snapshot.safe')}
    </p>
  );
}

function NoCopy({ view, page }: { view: View; page: PageInfo }): JSX.Element {
  return (
    <>
      <h1>{view.voice.say('snapshot.none')}</h1>
      <p>{view.voice.say(page.hasSnapshot ? 'snapshot.notKept' : 'snapshot.noarchive')}</p>
    </>
  );
}
