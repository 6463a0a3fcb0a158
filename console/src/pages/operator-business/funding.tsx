import { useState } from 'react';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { BalanceDialog, ModeDialog, RecordDialog } from './funding-dialogs.tsx';
import type { Ledger } from './operated.ts';

const words = texts.operatorBusiness.funding;

interface FundingProps {
  readonly businessId: string;
  readonly ledger: Ledger;
  onDone(): void;
}

type What = 'record' | 'balance' | 'mode';

/** The production funds of a business by its books, and what an operator books in them. */
export function Funding({ businessId, ledger, onDone }: FundingProps) {
  const [asked, setAsked] = useState<What | null>(null);
  const isEnforced = ledger.mode === 'enforced';
  const dialog = { businessId, onClose: () => setAsked(null), onDone };
  return (
    <Card
      title={words.title}
      aside={
        <StateMark tone={isEnforced ? 'good' : 'calm'}>
          {isEnforced ? words.enforced : words.reported}
        </StateMark>
      }
    >
      <div className="stack">
        {ledger.balances.length === 0 ? (
          <p className="muted">{words.none}</p>
        ) : (
          <Balances ledger={ledger} />
        )}
        <div className="row">
          <Button onClick={() => setAsked('record')}>{words.record}</Button>
          <Button onClick={() => setAsked('balance')}>{words.report}</Button>
          <Button onClick={() => setAsked('mode')}>
            {isEnforced ? words.relax : words.enforce}
          </Button>
        </div>
      </div>
      <RecordDialog open={asked === 'record'} {...dialog} />
      <BalanceDialog open={asked === 'balance'} {...dialog} />
      <ModeDialog open={asked === 'mode'} ledger={ledger} {...dialog} />
    </Card>
  );
}

function Balances({ ledger }: Pick<FundingProps, 'ledger'>) {
  return (
    <Table
      caption={words.title}
      rows={ledger.balances}
      rowId={({ currency }) => currency}
      columns={[
        { name: 'currency', title: words.currency, cell: ({ currency }) => currency },
        {
          name: 'posted',
          title: words.posted,
          align: 'end',
          cell: ({ postedMinor, currency }) => (
            <Amount minor={postedMinor} currency={currency} aligned />
          ),
        },
        {
          name: 'held',
          title: texts.money.held,
          align: 'end',
          cell: ({ heldMinor, currency }) => (
            <Amount minor={heldMinor} currency={currency} aligned />
          ),
        },
        {
          name: 'available',
          title: texts.money.available,
          align: 'end',
          cell: ({ availableMinor, currency }) => (
            <Amount minor={availableMinor} currency={currency} aligned />
          ),
        },
      ]}
    />
  );
}
