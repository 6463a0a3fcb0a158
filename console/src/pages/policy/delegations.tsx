import { useState } from 'react';
import {
  policyDelegateDocument,
  policyDelegationEndDocument,
  policyEditedDocument,
  policyMembersDocument,
} from '../../../../generated/console-types/pages/policy/policy.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { personName } from '../../values/author.ts';
import type { Delegation } from './policy.ts';

const words = texts.policy.delegations;

interface DelegationsProps {
  readonly delegations: readonly Delegation[];
  onDone(): void;
}

const nameOf = (person: Delegation['from']): string => (person === null ? '' : personName(person));

/** Who approves on behalf of whom, now or later. */
export function Delegations({ delegations, onDone }: DelegationsProps) {
  const mayDecide = useMay('payouts:decide');
  const mayManage = useMay('access:write');
  const [adds, setAdds] = useState(false);
  const end = useAct(policyDelegationEndDocument);
  const finish = async (id: string) => {
    if ((await end.act({ id })) === null) return;
    announce(words.ended);
    onDone();
  };
  const action = (one: Delegation) =>
    (mayManage || one.from?.me === true || one.to?.me === true) && (
      <Button
        busy={end.busy}
        aria-label={words.endOf({ name: nameOf(one.to) })}
        onClick={() => void finish(one.id)}
      >
        {words.end}
      </Button>
    );
  return (
    <Card
      title={words.title}
      flush
      aside={mayDecide && <Button onClick={() => setAdds(true)}>{words.add}</Button>}
    >
      <FaultNote fault={end.fault} />
      {delegations.length === 0 ? (
        <p className="card-body muted">{words.none}</p>
      ) : (
        <Table
          caption={words.title}
          rows={delegations}
          rowId={({ id }) => id}
          columns={[
            { name: 'from', title: words.from, cell: ({ from }) => nameOf(from) },
            { name: 'to', title: words.to, cell: ({ to }) => <strong>{nameOf(to)}</strong> },
            {
              name: 'time',
              title: words.time,
              cell: ({ beginsAt, endsAt }) => (
                <>
                  <Time at={beginsAt} /> {'–'} <Time at={endsAt} />
                </>
              ),
            },
            { name: 'reason', title: words.reason, cell: ({ reason }) => reason },
            ...(mayDecide ? [{ name: 'actions', title: texts.policy.actions, cell: action }] : []),
          ]}
        />
      )}
      {adds && (
        <DelegateDialog
          onClose={() => setAdds(false)}
          onDone={() => {
            setAdds(false);
            onDone();
          }}
        />
      )}
    </Card>
  );
}

/** A day that is typed, in the reader's zone, some days later. */
const dayAfter = (day: string, days: number): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + days);
};

function DelegateDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const members = useFresh(policyMembersDocument, {}, { everyMs: null });
  const policy = useFresh(policyEditedDocument, {}, { everyMs: null });
  const { act, busy, fault } = useAct(policyDelegateDocument);
  const roles = new Set<string>(policy.data?.approvalPolicy.roles ?? []);
  const others = (members.data?.members.edges ?? [])
    .map(({ node }) => node)
    .filter(({ me, role }) => !me && roles.has(role));
  const options = Object.fromEntries(
    others.map((one) => [one.id, `${personName(one)} · ${texts.roles[one.role]}`]),
  );
  return (
    <FormDialog
      title={words.add}
      action={texts.action.save}
      open
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async (given) => {
        const first = given('begins');
        const done = await act({
          to: given('to'),
          reason: given('reason'),
          beginsAt: first === '' ? null : dayAfter(first, 0).toISOString(),
          endsAt: dayAfter(given('ends'), 1).toISOString(),
        });
        if (done === null) return;
        announce(words.made);
        onDone();
      }}
    >
      <p className="muted">{words.hint}</p>
      {members.data === null || policy.data === null ? (
        <Pending of={members} lines={2} />
      ) : (
        <Choice label={words.to} name="to" options={options} />
      )}
      <TextField label={words.begins} name="begins" type="date" />
      <TextField label={words.ends} name="ends" type="date" required />
      <TextField label={words.reason} name="reason" required maxLength={500} autoComplete="off" />
    </FormDialog>
  );
}
