import { useState } from 'react';
import type { MemberSessionsQuery } from '../../../../generated/console-types/graphql.ts';
import { useFresh, type Fresh } from '../../app/fresh.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { sessionColumns } from '../sessions/session-columns.tsx';
import { nameOf, type Member } from './member.ts';
import {
  memberSessionsDocument,
  memberSessionsRevokeDocument,
} from '../../../../generated/console-types/pages/members/members.ts';

const words = texts.members.sessions;

interface MemberSessionsProps {
  readonly member: Member;
  readonly open: boolean;
  onClose(): void;
}

/** Where a member is at work for the business, and a way to end all of it. */
export function MemberSessions(props: MemberSessionsProps) {
  const { member, open, onClose } = props;
  return (
    <Dialog title={words.of({ name: nameOf(member) })} wide open={open} onClose={onClose}>
      <Sessions {...props} />
    </Dialog>
  );
}

function Sessions({ member, onClose }: MemberSessionsProps) {
  const sessions = useFresh(memberSessionsDocument, { id: member.id });
  const end = useAct(memberSessionsRevokeDocument);
  const [ended, setEnded] = useState<string | null>(null);
  const endAll = async () => {
    const done = await end.act({ id: member.id });
    if (done === null) return;
    const outcome = words.ended({ name: nameOf(member), count: done.memberSessionsRevoke ?? 0 });
    setEnded(outcome);
    announce(outcome);
    sessions.refresh();
  };
  const isOver = ended !== null;
  return (
    <>
      {isOver ? (
        <Note tone="good">{ended}</Note>
      ) : (
        <>
          <List member={member} sessions={sessions} />
          <p>{words.endMeans}</p>
          <p className="muted">{words.endKeeps}</p>
        </>
      )}
      <FaultNote fault={end.fault} />
      <div className="dialog-actions">
        {!isOver && <Button onClick={onClose}>{texts.action.cancel}</Button>}
        {/* One button before and after, so that the focus stays. */}
        <Button
          kind={isOver ? 'usual' : 'danger'}
          busy={end.busy}
          onClick={isOver ? onClose : () => void endAll()}
        >
          {isOver ? texts.action.close : words.end}
        </Button>
      </div>
    </>
  );
}

interface ListProps {
  readonly member: Member;
  readonly sessions: Fresh<MemberSessionsQuery>;
}

function List({ member, sessions }: ListProps) {
  const rows = sessions.data?.memberSessions ?? null;
  if (rows === null) return <Pending of={sessions} lines={2} />;
  if (rows.length === 0) return <p>{words.none}</p>;
  return (
    <Table
      caption={words.of({ name: nameOf(member) })}
      rows={rows}
      rowId={({ id }) => id}
      columns={sessionColumns}
    />
  );
}
