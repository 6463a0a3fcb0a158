import { useState } from 'react';
import {
  operatorBalanceReportDocument,
  operatorFundingModeSetDocument,
  operatorFundingRecordDocument,
} from '../../../../generated/console-types/pages/operator-business/business.ts';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import { minorOf } from '../../values/money.ts';
import { AmountFields } from './amount-fields.tsx';
import type { Ledger } from './operated.ts';
import { Reason } from './reason.tsx';

const words = texts.operatorBusiness.funding;

interface DialogProps {
  readonly businessId: string;
  readonly open: boolean;
  onClose(): void;
  onDone(): void;
}

/** Books money that came in, went out or was taken as a fee, once for each source. */
export function RecordDialog({ businessId, open, onClose, onDone }: DialogProps) {
  const { act, busy, fault, forget } = useAct(operatorFundingRecordDocument);
  const [kind, setKind] = useState<keyof typeof words.kinds>('funding');
  const [wrong, setWrong] = useState(false);
  const close = () => {
    forget();
    setWrong(false);
    onClose();
  };
  return (
    <FormDialog
      title={words.record}
      action={words.record}
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const currency = given('currency');
        const amountMinor = minorOf(given('amount'), currency);
        setWrong(amountMinor === null);
        if (amountMinor === null) return;
        const [source, reason] = [given('source'), given('reason')];
        if ((await act({ businessId, kind, currency, amountMinor, source, reason })) === null)
          return;
        announce(words.recorded);
        close();
        onDone();
      }}
    >
      <Choice
        label={words.kind}
        options={words.kinds}
        value={kind}
        onChange={(chosen) => setKind(chosen ?? 'funding')}
      />
      <AmountFields wrong={wrong} />
      <TextField
        label={words.source}
        name="source"
        hint={words.sourceHint}
        maxLength={200}
        required
      />
      <Reason />
    </FormDialog>
  );
}

/** Reports what the account has; the difference to the books is booked. */
export function BalanceDialog({ businessId, open, onClose, onDone }: DialogProps) {
  const { act, busy, fault, forget } = useAct(operatorBalanceReportDocument);
  const [wrong, setWrong] = useState(false);
  const close = () => {
    forget();
    setWrong(false);
    onClose();
  };
  return (
    <FormDialog
      title={words.report}
      action={words.report}
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const currency = given('currency');
        const availableBalanceMinor = minorOf(given('amount'), currency);
        setWrong(availableBalanceMinor === null);
        if (availableBalanceMinor === null) return;
        const source = given('source') === '' ? null : given('source');
        const reason = given('reason');
        const order = { businessId, currency, availableBalanceMinor, source, reason };
        if ((await act(order)) === null) return;
        announce(words.wasReported);
        close();
        onDone();
      }}
    >
      <p>{words.reportMeans}</p>
      <AmountFields wrong={wrong} />
      <TextField label={words.source} name="source" hint={words.sourceHint} maxLength={200} />
      <Reason />
    </FormDialog>
  );
}

interface ModeProps extends DialogProps {
  readonly ledger: Ledger;
}

/** Sets whether approvals need funds: enforcing begins with what the business has in each currency. */
export function ModeDialog({ businessId, ledger, open, onClose, onDone }: ModeProps) {
  const { act, busy, fault, forget } = useAct(operatorFundingModeSetDocument);
  const [wrong, setWrong] = useState(false);
  const isEnforced = ledger.mode === 'enforced';
  const close = () => {
    forget();
    setWrong(false);
    onClose();
  };
  return (
    <FormDialog
      title={isEnforced ? words.relax : words.enforce}
      action={isEnforced ? words.relax : words.enforce}
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const reason = given('reason');
        const currency = given('currency');
        const opening = minorOf(given('amount'), currency);
        setWrong(!isEnforced && opening === null);
        if (!isEnforced && opening === null) return;
        const order = isEnforced
          ? { businessId, mode: 'reported' as const, openingBalances: null, reason }
          : {
              businessId,
              mode: 'enforced' as const,
              // A currency that is not stated keeps what is posted.
              openingBalances: [{ currency, availableBalanceMinor: opening ?? 0 }],
              reason,
            };
        if ((await act(order)) === null) return;
        announce(words.modeSet);
        close();
        onDone();
      }}
    >
      <p>{isEnforced ? words.relaxMeans : words.enforceMeans}</p>
      {!isEnforced && <AmountFields wrong={wrong} label={words.opening} />}
      <Reason />
    </FormDialog>
  );
}
