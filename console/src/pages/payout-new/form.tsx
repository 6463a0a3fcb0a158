import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import type { PayoutCreateInput } from '../../../../generated/console-types/graphql.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf } from '../../values/fault.ts';
import { exampleAmount, minorOf } from '../../values/money.ts';
import { AccountField, PayeeField } from './payee-fields.tsx';
import { PurposeField, ReferenceField } from './purpose-fields.tsx';
import { CheckCard } from './check-card.tsx';
import { createPayoutDocument } from '../../../../generated/console-types/pages/payout-new/new-payout.ts';
import { useCheck } from './use-check.ts';
import type { KnownPayee } from './use-offers.ts';
import { usePayee } from './use-payee.ts';

const words = texts.newPayout;

/** What the fields hold. */
export interface NewPayoutFields {
  readonly payee: string;
  readonly account: string;
  readonly amount: string;
  readonly purpose: string;
  readonly reference: string;
  /** The payout that the new one replaces; null for none. */
  readonly replaces: string | null;
}

interface PayoutFormProps {
  readonly purposes: readonly string[];
  readonly payees: readonly KnownPayee[];
  readonly given: NewPayoutFields;
}

export function PayoutForm({ purposes, payees, given }: PayoutFormProps) {
  const [typed, setTyped] = useState(given);
  // One key for all that this form makes: a second click, or a retry after a lost answer, makes no second payout.
  const [idempotencyKey] = useState(() => `console-${crypto.randomUUID()}`);
  const [{ fetching, error }, create] = useMutation(createPayoutDocument);
  const navigate = useNavigate();
  const found = usePayee(typed.payee);
  const accounts = found.kind === 'found' ? found.payee.bankAccounts : [];
  const account =
    accounts.find(({ id }) => id === typed.account) ??
    (accounts.length === 1 ? accounts[0] : undefined);
  const amountMinor = account === undefined ? null : minorOf(typed.amount, account.currency);
  const input: PayoutCreateInput | null =
    found.kind === 'found' && account !== undefined && amountMinor !== null && typed.purpose !== ''
      ? {
          beneficiaryId: found.payee.id,
          bankAccountId: account.id,
          amountMinor,
          currency: account.currency,
          purposeOfPayment: typed.purpose,
          externalRef: typed.reference.trim() === '' ? null : typed.reference.trim(),
          replacesPayoutId: typed.replaces,
          idempotencyKey,
        }
      : null;
  const check = useCheck(input);
  const set = (name: keyof NewPayoutFields) => (value: string) =>
    setTyped((before) => ({ ...before, [name]: value }));

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (input === null || check.kind !== 'answered' || fetching) return;
    const { data } = await create({ input });
    const made = data?.payoutCreate?.payout;
    if (made == null) return;
    announce(words.created);
    void navigate({ to: '/payouts/$id', params: { id: made.id } });
  };
  return (
    <form className="columns" onSubmit={(event) => void submit(event)} noValidate>
      <Card>
        <div className="stack">
          <PayeeField value={typed.payee} payees={payees} found={found} onChange={set('payee')} />
          <AccountField
            accounts={accounts}
            chosen={account?.id ?? ''}
            known={found.kind === 'found'}
            onChange={set('account')}
          />
          <Field
            label={words.amount}
            hint={
              account &&
              words.amountHint({
                currency: account.currency,
                example: exampleAmount(account.currency),
              })
            }
            fault={account && typed.amount !== '' && amountMinor === null && words.amountFault}
          >
            {(field) => (
              <input
                {...field}
                className="input"
                inputMode="decimal"
                value={typed.amount}
                onChange={(event) => set('amount')(event.target.value)}
              />
            )}
          </Field>
          <PurposeField value={typed.purpose} purposes={purposes} onChange={set('purpose')} />
          <ReferenceField value={typed.reference} onChange={set('reference')} />
        </div>
      </Card>
      <div className="stack">
        <CheckCard check={check} />
        {error !== undefined && <FaultNote fault={faultOf(error)} />}
        <div className="row">
          <Button
            type="submit"
            kind="primary"
            busy={fetching}
            aria-disabled={check.kind !== 'answered' || fetching}
          >
            {words.create}
          </Button>
        </div>
      </div>
    </form>
  );
}
