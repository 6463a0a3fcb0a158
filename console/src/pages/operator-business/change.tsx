import { useState } from 'react';
import type { OperatedConnectionPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { operatorBankConnectionChangeDocument } from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { FormPage } from '../../parts/form-page.tsx';
import { announce } from '../../parts/live.tsx';
import { texts } from '../../texts/texts.ts';
import { ScheduleFields, scheduleOf, SchemeFields } from './connection-fields.tsx';
import { Reason } from './reason.tsx';
import { TransportFields, transportOf } from './transport-fields.tsx';

const words = texts.banks.connection;
const own = texts.operatorBusiness.change;

interface ChangeProps {
  readonly businessId: string;
  readonly operated: OperatedConnectionPartsFragment;
  onDone(): void;
}

/** What of `given` is another than what is there: a change names nothing else. */
function differing<Facts extends object>(
  given: Facts,
  before: { readonly [Name in keyof Facts]: unknown },
): Partial<Facts> {
  const names = Object.keys(given) as (keyof Facts)[];
  const others = names.filter(
    (name) => JSON.stringify(given[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(others.map((name) => [name, given[name]])) as Partial<Facts>;
}

/** Changes a production connection. The way of the files is given anew as a whole, with its login. */
export function ChangeConnection({ businessId, operated, onDone }: ChangeProps) {
  const { connection } = operated;
  const { act, busy, fault } = useAct(operatorBankConnectionChangeDocument);
  const [status, setStatus] = useState(connection.status);
  const [schemes, setSchemes] = useState([...connection.schemes]);
  const [anew, setAnew] = useState(false);
  const [kind, setKind] = useState(connection.transport);
  const [isSame, setSame] = useState(false);
  return (
    <FormPage
      title={words.change}
      action={texts.action.save}
      busy={busy}
      fault={fault}
      onSubmit={async (given) => {
        const change = {
          ...differing({ ...scheduleOf(given), status, schemes }, connection),
          ...(anew && { transport: transportOf(kind, given) }),
        };
        setSame(Object.keys(change).length === 0);
        if (Object.keys(change).length === 0) return;
        const { id: connectionId, version } = connection;
        const reason = given('reason');
        const done = await act({ businessId, connectionId, version, ...change, reason });
        if (done === null) return;
        const isProposed = done.operatorBankConnectionChange === null;
        announce(isProposed ? texts.operatorBusiness.proposed : words.changed);
        onDone();
      }}
    >
      <p className="muted">{own.lead}</p>
      <Choice
        label={words.state}
        options={words.states}
        value={status}
        hint={words.statesMean[status]}
        onChange={(chosen) => setStatus(chosen ?? connection.status)}
      />
      <ScheduleFields of={connection} />
      <SchemeFields chosen={schemes} onChoose={setSchemes} />
      <label className="check">
        <input type="checkbox" checked={anew} onChange={({ target }) => setAnew(target.checked)} />
        <span>{own.anew}</span>
      </label>
      {anew && <TransportFields kind={kind} onKind={setKind} />}
      <Reason />
      <div role="alert">{isSame && <p className="fault">{own.unchanged}</p>}</div>
    </FormPage>
  );
}
