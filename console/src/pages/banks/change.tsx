import { useState } from 'react';
import type { ConnectionPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { sandboxBankChangeDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.banks.connection;

interface ChangeProps {
  readonly connection: ConnectionPartsFragment;
  onDone(): void;
}

/** What a sandbox may change of its connection: a closed one stays closed. */
export function ChangeConnection({ connection, onDone }: ChangeProps) {
  const { act, busy, fault } = useAct(sandboxBankChangeDocument);
  const [status, setStatus] = useState(connection.status);
  return (
    <FormPage
      title={words.change}
      action={texts.action.save}
      busy={busy}
      fault={fault}
      onSubmit={async (given) => {
        const { id: connectionId, version } = connection;
        const input = {
          connectionId,
          version,
          status,
          cutOffTime: given('cutOffTime'),
          maxPayments: Number(given('maxPayments')),
          returnBankDays: Number(given('returnBankDays')),
        };
        if ((await act({ input })) === null) return;
        announce(words.changed);
        onDone();
      }}
    >
      <Choice
        label={words.state}
        options={words.states}
        value={status}
        hint={words.statesMean[status]}
        onChange={(chosen) => setStatus(chosen ?? connection.status)}
      />
      <div className="columns">
        <TextField
          label={words.cutOff}
          name="cutOffTime"
          type="time"
          required
          defaultValue={connection.cutOffTime}
        />
        <TextField
          label={words.maxPayments}
          name="maxPayments"
          type="number"
          min={1}
          max={10_000}
          required
          defaultValue={connection.maxPayments}
        />
        <TextField
          label={words.returnBankDays}
          name="returnBankDays"
          type="number"
          min={1}
          max={90}
          required
          defaultValue={connection.returnBankDays}
        />
      </div>
    </FormPage>
  );
}
