import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';
import { useOffers, type KnownPayee } from './use-offers.ts';
import type { Payee, PayeeFound } from './use-payee.ts';

const words = texts.newPayout;

interface PayeeFieldProps {
  readonly value: string;
  readonly payees: readonly KnownPayee[];
  readonly found: PayeeFound;
  onChange(value: string): void;
}

const faultIn = (found: PayeeFound): string | undefined => {
  if (found.kind === 'failed') return found.fault.title;
  return found.kind === 'missing' ? words.payeeMissing : undefined;
};

/** Names the payee by their address or id, and offers those whose names fit what is typed. */
export function PayeeField({ value, payees, found, onChange }: PayeeFieldProps) {
  const list = useId();
  const offers = useOffers(value, payees);
  return (
    <Field
      label={words.payee}
      hint={
        found.kind === 'found' ? (
          found.payee.displayName
        ) : (
          <>
            {words.payeeHint}{' '}
            <Link to="/payees/new" search={{ aim: 'pay' }}>
              {words.newPayee}
            </Link>
          </>
        )
      }
      fault={faultIn(found)}
    >
      {(field) => (
        <>
          <input
            {...field}
            className="input"
            list={list}
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {offers.map(({ id, email, displayName }) => (
              <option key={id} value={email ?? id}>
                {displayName}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

interface AccountFieldProps {
  readonly accounts: Payee['bankAccounts'];
  readonly chosen: string;
  /** Whether the payee is known, so that no account is none of theirs. */
  readonly known: boolean;
  onChange(id: string): void;
}

/** Chooses among the payee's accounts. */
export function AccountField({ accounts, chosen, known, onChange }: AccountFieldProps) {
  return (
    <Field label={words.account} fault={known && accounts.length === 0 && words.noAccount}>
      {(field) => (
        <select
          {...field}
          className="input"
          value={chosen}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{words.choose}</option>
          {accounts.map(({ id, last4, bankName, currency, country }) => (
            <option key={id} value={id}>
              {[`****${last4}`, bankName, country, currency].filter(Boolean).join(', ')}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
