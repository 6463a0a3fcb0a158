import { Link } from '@tanstack/react-router';
import { useMay } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { textFor, texts } from '../../texts/texts.ts';
import type { ShownPayout } from './shown.ts';

const words = texts.payout.next;

/** Where the account itself was refused, so that the same one would be refused again. */
const ofAccount: ReadonlySet<string> = new Set([
  'invalid_account',
  'account_closed',
  'name_mismatch',
]);

/** Of a payout that failed or came back: what happened in words, what to do about it, and the ways to it. */
export function WhatNext({ payout }: { readonly payout: ShownPayout }) {
  const { state, failureCode, failureMessage, replacedBy } = payout;
  if (state !== 'failed' && state !== 'returned') return null;
  const code = failureCode ?? 'other';
  return (
    <Card title={words.title}>
      <div className="stack what-next">
        <p>
          <strong>{state === 'failed' ? words.failed : words.returned}</strong>{' '}
          {textFor(words.why, code) ?? words.why.other}
        </p>
        {failureMessage !== null && (
          <p className="muted">
            {words.said({ message: failureMessage })}{' '}
            <span className="small">{words.code({ code })}</span>
          </p>
        )}
        {replacedBy === null ? (
          <Todo payout={payout} code={code} />
        ) : (
          <p>
            {words.replaced}{' '}
            <Link to="/payouts/$id" params={{ id: replacedBy.id }}>
              {words.openReplacement}
            </Link>
          </p>
        )}
      </div>
    </Card>
  );
}

interface TodoProps {
  readonly payout: ShownPayout;
  readonly code: string;
}

/** The advice, and the ways to follow it that the reader's role permits. */
function Todo({ payout, code }: TodoProps) {
  const mayWrite = useMay('payees:write');
  const mayPay = useMay('payouts:write');
  const { id, beneficiary, bankAccountId, currency } = payout;
  const isAccount = ofAccount.has(code);
  const others = beneficiary.bankAccounts.filter(
    (account) =>
      account.id !== bankAccountId && account.payoutUsable && account.currency === currency,
  );
  const [asked] = beneficiary.pendingRequests;
  const params = { id: beneficiary.id };
  const mayChange = mayWrite && beneficiary.archivedAt === null;
  return (
    <>
      <p>{textFor(words.todo, code) ?? words.todo.other}</p>
      {asked && (
        <p className="muted">
          {words.waits} {words.until} <Time at={asked.expiresAt} />
        </p>
      )}
      <div className="row">
        {mayPay && !isAccount && (
          <Link className="button" data-kind="primary" to="/payouts/new" search={{ replaces: id }}>
            {words.replace}
          </Link>
        )}
        {mayPay &&
          isAccount &&
          others.map((account) => (
            <Link
              key={account.id}
              className="button"
              data-kind="primary"
              to="/payouts/new"
              search={{ replaces: id, account: account.id }}
            >
              {words.replaceThere({
                account: [texts.payees.masked({ last4: account.last4 }), account.bankName]
                  .filter(Boolean)
                  .join(', '),
              })}
            </Link>
          ))}
        {mayChange && isAccount && (
          <>
            <Link
              className="button"
              data-kind={others.length === 0 ? 'primary' : undefined}
              to="/payees/$id"
              params={params}
              search={{ ask: true }}
            >
              {words.ask}
            </Link>
            <Link
              className="button"
              to="/payees/$id/accounts/new"
              params={params}
              search={{ replaces: id }}
            >
              {words.account}
            </Link>
            <Link
              className="button"
              to="/payees/$id/accounts/$account"
              params={{ ...params, account: bankAccountId }}
            >
              {words.correct}
            </Link>
          </>
        )}
      </div>
    </>
  );
}
