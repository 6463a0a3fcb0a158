import { Link } from '@tanstack/react-router';
import { NameCheck } from '../../app/name-check.tsx';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { Payee } from './payee.ts';

const words = texts.payees;

interface AccountsProps {
  readonly payee: Payee;
  readonly isGone: boolean;
  onDone(): void;
}

/** Where the payee is paid; each account leads to what corrects it, and to its versions. */
export function Accounts({ payee, isGone, onDone }: AccountsProps) {
  const mayWrite = useMay('payees:write') && !isGone;
  const params = { id: payee.id };
  const add = mayWrite && (
    <Link className="button" to="/payees/$id/accounts/new" params={params}>
      {words.forms.title}
    </Link>
  );
  return (
    <Card title={words.accounts} flush aside={add}>
      {payee.bankAccounts.length === 0 ? (
        <Empty title={words.noAccount}>{words.noAccountHint}</Empty>
      ) : (
        <Table
          caption={words.accounts}
          rows={payee.bankAccounts}
          rowId={({ id }) => id}
          columns={[
            {
              name: 'account',
              title: words.account,
              cell: ({ id, last4, bankName, accountHolderName }) => (
                <>
                  {mayWrite ? (
                    <Link
                      to="/payees/$id/accounts/$account"
                      params={{ ...params, account: id }}
                      title={words.forms.open}
                    >
                      {words.masked({ last4 })}
                    </Link>
                  ) : (
                    <strong>{words.masked({ last4 })}</strong>
                  )}{' '}
                  {bankName}
                  <div className="muted small">{accountHolderName}</div>
                </>
              ),
            },
            {
              name: 'currency',
              title: words.currency,
              cell: ({ currency, country }) => `${currency} · ${country}`,
            },
            {
              name: 'usable',
              title: words.state,
              cell: ({ id, payoutUsable, unusableReason, railRejectionReason, nameCheck }) => (
                <>
                  <StateMark tone={payoutUsable ? 'good' : 'wait'}>
                    {payoutUsable ? words.usable : words.unusable}
                  </StateMark>
                  <div className="muted small">
                    {unusableReason?.message ?? railRejectionReason}
                  </div>
                  <NameCheck
                    check={nameCheck}
                    account={id}
                    payee={payee.id}
                    whole
                    onDone={onDone}
                  />
                </>
              ),
            },
            { name: 'since', title: words.since, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
        />
      )}
    </Card>
  );
}
