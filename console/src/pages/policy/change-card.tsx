import { useState, type ReactNode } from 'react';
import {
  policyChangeConfirmDocument,
  policyChangeDeclineDocument,
} from '../../../../generated/console-types/pages/policy/policy.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { personName } from '../../values/author.ts';
import {
  groupNamesOf,
  type GroupChange,
  type Policy,
  type RoleChange,
  type RulesChange,
} from './policy.ts';
import { RulesDifference } from './rule-list.tsx';

const words = texts.policy;

interface ChangeFrameProps {
  readonly title: string;
  readonly change: RulesChange | GroupChange | RoleChange;
  /** What changes, in words. */
  readonly children: ReactNode;
  onDone(): void;
}

/** A proposal that waits for a second person: what it changes, and the ways to answer. */
function ChangeFrame({ title, change, children, onDone }: ChangeFrameProps) {
  const { proposedBy, proposedAt, expiresAt, reason } = change;
  return (
    <Card title={title} aside={<StateMark tone="wait">{words.waits}</StateMark>}>
      <div className="stack">
        <p className="muted">
          {proposedBy !== null && words.proposedBy({ name: personName(proposedBy) })}{' '}
          <Time at={proposedAt} />
          {`, ${words.until} `}
          <Time at={expiresAt} />
        </p>
        {reason !== null && <p>{reason}</p>}
        {children}
        <Answers change={change} onDone={onDone} />
      </div>
    </Card>
  );
}

interface ChangeProps {
  readonly policy: Policy;
  onDone(): void;
}

/** The version that is proposed, where one is. */
export function RulesChangeCard({ policy, onDone }: ChangeProps) {
  const { active, proposal, groups } = policy;
  if (proposal === null) return null;
  return (
    <ChangeFrame title={words.waiting} change={proposal} onDone={onDone}>
      <RulesDifference
        before={active?.rules ?? null}
        after={proposal.rulesAfter}
        nameOf={groupNamesOf(groups)}
      />
    </ChangeFrame>
  );
}

/** Each group of which other members are proposed. */
export function GroupChangeCards({ policy, onDone }: ChangeProps) {
  const nameOf = groupNamesOf(policy.groups);
  return policy.groupProposals.map((change) => (
    <ChangeFrame
      key={change.id}
      title={words.waitingGroup({ name: nameOf(change.groupId ?? '') })}
      change={change}
      onDone={onDone}
    >
      <MembersDifference change={change} />
    </ChangeFrame>
  ));
}

/** Each member for whom another role is proposed. */
export function RoleChangeCards({ policy, onDone }: ChangeProps) {
  return policy.roleProposals.map((change) => {
    const { id, member, roleBefore, roleAfter } = change;
    const name = member === null ? (change.memberId ?? '') : personName(member);
    return (
      <ChangeFrame key={id} title={words.waitingRole({ name })} change={change} onDone={onDone}>
        {roleBefore !== null && roleAfter !== null && (
          <p>
            {words.roleChange({ before: texts.roles[roleBefore], after: texts.roles[roleAfter] })}
          </p>
        )}
      </ChangeFrame>
    );
  });
}

/** Who joins a group and who leaves it. */
function MembersDifference({
  change: { membersBefore, membersAfter },
}: {
  readonly change: GroupChange;
}) {
  const before = membersBefore ?? [];
  const after = membersAfter ?? [];
  const isIn = (people: typeof before, id: string) => people.some((person) => person.id === id);
  return (
    <ul className="differences">
      {after
        .filter(({ id }) => !isIn(before, id))
        .map((person) => (
          <li key={person.id}>
            <ins>{words.joins({ name: personName(person) })}</ins>
          </li>
        ))}
      {before
        .filter(({ id }) => !isIn(after, id))
        .map((person) => (
          <li key={person.id}>
            <del>{words.leaves({ name: personName(person) })}</del>
          </li>
        ))}
    </ul>
  );
}

const dayMs = 86_400_000;

function Answers({ change, onDone }: Pick<ChangeFrameProps, 'change' | 'onDone'>) {
  const { id, proposedByYou, proposedAt } = change;
  const mayManage = useMay('access:write');
  const confirm = useAct(policyChangeConfirmDocument);
  const decline = useAct(policyChangeDeclineDocument);
  const [openedAt] = useState(() => Date.now());
  if (!mayManage) return <p className="muted">{words.managersOnly}</p>;
  // Who manages a business alone confirms a day later; the service knows whether they do.
  const isOpen = !proposedByYou || openedAt - Date.parse(proposedAt) >= dayMs;
  const answer = async (command: typeof confirm | typeof decline, said: string) => {
    if ((await command.act({ id })) === null) return;
    announce(said);
    onDone();
  };
  return (
    <>
      {proposedByYou && <p>{words.ofYours}</p>}
      <FaultNote fault={confirm.fault ?? decline.fault} />
      <div className="row">
        {isOpen && (
          <Button
            kind="primary"
            busy={confirm.busy}
            onClick={() => void answer(confirm, words.wasConfirmed)}
          >
            {words.confirm}
          </Button>
        )}
        <Button busy={decline.busy} onClick={() => void answer(decline, words.wasDeclined)}>
          {proposedByYou ? words.takeBack : words.decline}
        </Button>
      </div>
    </>
  );
}
