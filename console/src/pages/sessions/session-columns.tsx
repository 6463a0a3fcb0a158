import type { SessionsQuery } from '../../../../generated/console-types/graphql.ts';
import { StateMark } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { browserName } from './browser.ts';

const words = texts.sessions.sessions;

type Session = NonNullable<SessionsQuery['sessions']>[number];

/** The browser of a session, as people call it. */
export const nameOf = ({ userAgent }: Pick<Session, 'userAgent'>): string =>
  browserName(userAgent) ?? words.unknown;

/** What is shown of a session, to its person and to those who manage the members of a business. */
export const sessionColumns: readonly Column<Session>[] = [
  {
    name: 'browser',
    title: words.browser,
    cell: (session) => (
      <>
        <strong>{nameOf(session)}</strong>{' '}
        {session.current && <StateMark tone="good">{words.current}</StateMark>}
      </>
    ),
  },
  {
    name: 'by',
    title: words.by,
    cell: ({ signedInBy, createdAt }) => (
      <>
        {texts.sessions.ways[signedInBy]} <Time at={createdAt} />
      </>
    ),
  },
  { name: 'network', title: words.network, cell: ({ network }) => network },
  { name: 'seen', title: words.seen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
];
