import { useMutation } from 'urql';
import type { SessionsQuery } from '../../../../generated/console-types/graphql.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/en.ts';
import { faultOf } from '../../values/fault.ts';
import { browserName } from './browser.ts';
import { sessionRevokeDocument } from './sessions.graphql.ts';

const words = texts.sessions.sessions;

type Session = SessionsQuery['sessions'][number];

const nameOf = ({ userAgent }: Session): string => browserName(userAgent) ?? words.unknown;

interface SessionsProps {
  readonly sessions: SessionsQuery['sessions'];
  onChange(): void;
}

/** The browsers in which the reader is signed in. The present one ends by signing out. */
export function Sessions({ sessions, onChange }: SessionsProps) {
  const [{ error, fetching }, revoke] = useMutation(sessionRevokeDocument);
  const end = async (id: string) => {
    const { error: refused } = await revoke({ id });
    if (refused === undefined) announce(words.ended);
    onChange();
  };
  return (
    <Card title={words.title} flush>
      <FaultNote fault={error === undefined ? null : faultOf(error)} />
      <Table
        caption={words.caption}
        rows={sessions}
        rowId={({ id }) => id}
        columns={[
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
          {
            name: 'end',
            title: <span className="hidden">{words.end}</span>,
            align: 'end',
            cell: (session) =>
              !session.current && (
                <Button
                  kind="danger"
                  busy={fetching}
                  aria-label={words.endLabel(nameOf(session))}
                  onClick={() => void end(session.id)}
                >
                  {words.end}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
