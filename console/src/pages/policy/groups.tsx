import { useState } from 'react';
import {
  policyGroupChangeDocument,
  policyGroupCreateDocument,
  policyMembersDocument,
} from '../../../../generated/console-types/pages/policy/policy.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { listed, texts } from '../../texts/texts.ts';
import { personName } from '../../values/author.ts';
import { Checks } from './many.tsx';
import type { Group } from './policy.ts';

const words = texts.policy;

interface GroupsProps {
  readonly groups: readonly Group[];
  onDone(): void;
}

/** The groups of approvers, which managers make and change. */
export function Groups({ groups, onDone }: GroupsProps) {
  const mayManage = useMay('access:write');
  const [edited, setEdited] = useState<Group | 'new' | null>(null);
  const change = (group: Group) => (
    <Button aria-label={words.changeGroupOf({ name: group.name })} onClick={() => setEdited(group)}>
      {words.changeGroup}
    </Button>
  );
  return (
    <Card
      title={words.groups}
      flush
      aside={mayManage && <Button onClick={() => setEdited('new')}>{words.addGroup}</Button>}
    >
      {groups.length === 0 ? (
        <p className="card-body muted">{words.noGroups}</p>
      ) : (
        <Table
          caption={words.groups}
          rows={groups}
          rowId={({ id }) => id}
          columns={[
            { name: 'name', title: words.groupName, cell: ({ name }) => <strong>{name}</strong> },
            {
              name: 'members',
              title: words.members,
              cell: ({ members }) =>
                members.length === 0 ? words.nobody : listed(members.map(personName)),
            },
            ...(mayManage ? [{ name: 'actions', title: words.actions, cell: change }] : []),
          ]}
        />
      )}
      {edited !== null && (
        <GroupDialog
          group={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onDone={() => {
            setEdited(null);
            onDone();
          }}
        />
      )}
    </Card>
  );
}

interface GroupDialogProps {
  /** Null for one that is made. */
  readonly group: Group | null;
  onClose(): void;
  onDone(): void;
}

function GroupDialog({ group, onClose, onDone }: GroupDialogProps) {
  const fresh = useFresh(policyMembersDocument, {}, { everyMs: null });
  const create = useAct(policyGroupCreateDocument);
  const change = useAct(policyGroupChangeDocument);
  const [members, setMembers] = useState<readonly string[]>(
    group?.members.map(({ id }) => id) ?? [],
  );
  const submit = async (name: string) => {
    const given = { name, members: [...members] };
    if (group === null) {
      if ((await create.act(given)) === null) return;
      announce(words.groupMade);
    } else {
      const done = await change.act({ id: group.id, ...given });
      if (done === null) return;
      const waits = done.approvalGroupChange?.proposal != null;
      announce(waits ? words.groupWaits : words.groupChanged);
    }
    onDone();
  };
  return (
    <FormDialog
      title={group === null ? words.addGroup : words.changeGroupOf({ name: group.name })}
      action={texts.action.save}
      open
      busy={create.busy || change.busy}
      fault={create.fault ?? change.fault}
      onClose={onClose}
      onSubmit={(given) => submit(given('name'))}
    >
      <p className="muted">{words.groupHint}</p>
      <TextField
        label={words.groupName}
        name="name"
        required
        maxLength={80}
        defaultValue={group?.name ?? ''}
        autoComplete="off"
      />
      {fresh.data === null ? (
        <Pending of={fresh} lines={3} />
      ) : (
        <Checks
          label={words.members}
          values={members}
          options={fresh.data.members.edges.map(({ node }) => ({
            value: node.id,
            text: `${personName(node)} · ${texts.roles[node.role]}`,
          }))}
          onChange={setMembers}
        />
      )}
    </FormDialog>
  );
}
