import { useState } from 'react';
import type { NameCheckPartsFragment } from '../../../generated/console-types/graphql.ts';
import {
  bankAccountNameCheckDocument,
  nameCheckConfirmDocument,
  nameCheckTakeDocument,
} from '../../../generated/console-types/app/name-check.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { announce } from '../parts/live.tsx';
import { StateMark, type Tone } from '../parts/state.tsx';
import { TextField } from '../parts/text-field.tsx';
import { texts } from '../texts/texts.ts';
import { useMay } from './session.ts';
import { useAct } from './use-act.ts';

const words = texts.names;

type Check = NameCheckPartsFragment;

const tones: Readonly<Record<Check['result'], Tone>> = {
  pending: 'wait',
  match: 'good',
  close_match: 'wait',
  no_match: 'bad',
  not_possible: 'calm',
};

/** Whether the result is worth a look: the business may have decided to make nothing of it. */
const isShown = ({ result, effect }: Check): boolean => result !== 'match' && effect !== 'ignore';

interface NameCheckProps {
  readonly check: Check | null | undefined;
  readonly account: string;
  readonly payee: string;
  /** Whether a match is shown, too. */
  readonly whole?: boolean;
  onDone(): void;
}

/** What the bank says of an account's holder, with what the reader may do about it. */
export function NameCheck({ check, account, payee, whole = false, onDone }: NameCheckProps) {
  const [asked, setAsked] = useState<'take' | 'confirm' | null>(null);
  const mayDecide = useMay('payouts:decide');
  const mayWrite = useMay('payees:write');
  if (!check || !(whole || isShown(check))) return null;
  const { id, result, effect, nameOnFile, confirmedReason } = check;
  const close = () => setAsked(null);
  const done = () => {
    announce(words.done);
    close();
    onDone();
  };
  const mayConfirm = mayDecide && effect === 'confirm' && confirmedReason === null;
  return (
    <div className="stack small">
      <div>
        <StateMark tone={tones[result]}>{words.results[result]}</StateMark>
        {nameOnFile && <span className="muted"> {words.onFile({ name: nameOnFile })}</span>}
        {confirmedReason && (
          <div className="muted">{words.confirmed({ reason: confirmedReason })}</div>
        )}
      </div>
      {isShown(check) && result !== 'pending' && (
        <div className="row">
          {mayConfirm && <Button onClick={() => setAsked('confirm')}>{words.confirm}</Button>}
          {mayWrite && nameOnFile && <Button onClick={() => setAsked('take')}>{words.take}</Button>}
          {mayWrite && <AskAgain account={account} payee={payee} onDone={done} />}
        </div>
      )}
      {asked === 'confirm' && id && <Confirm id={id} onClose={close} onDone={done} />}
      {asked === 'take' && id && nameOnFile && (
        <Take id={id} name={nameOnFile} onClose={close} onDone={done} />
      )}
    </div>
  );
}

interface DialogProps {
  readonly id: string;
  onClose(): void;
  onDone(): void;
}

function Confirm({ id, onClose, onDone }: DialogProps) {
  const { act, busy, fault } = useAct(nameCheckConfirmDocument);
  return (
    <FormDialog
      title={words.confirm}
      action={words.confirm}
      open
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async (given) => {
        if ((await act({ id, reason: given('reason') })) !== null) onDone();
      }}
    >
      <p>{words.confirmMeans}</p>
      <TextField label={words.why} name="reason" required maxLength={1_000} />
    </FormDialog>
  );
}

function Take({ id, name, onClose, onDone }: DialogProps & { readonly name: string }) {
  const { act, busy, fault } = useAct(nameCheckTakeDocument);
  return (
    <FormDialog
      title={words.take}
      action={words.take}
      open
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async () => {
        if ((await act({ id })) !== null) onDone();
      }}
    >
      <p>{words.takeMeans({ name })}</p>
    </FormDialog>
  );
}

/** Has the bank asked once more. */
function AskAgain({
  account,
  payee,
  onDone,
}: Pick<NameCheckProps, 'account' | 'payee' | 'onDone'>) {
  const { act, busy } = useAct(bankAccountNameCheckDocument);
  const ask = async () => {
    if ((await act({ beneficiaryId: payee, id: account })) !== null) onDone();
  };
  return (
    <Button busy={busy} onClick={() => void ask()}>
      {words.ask}
    </Button>
  );
}
