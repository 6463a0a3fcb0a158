import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import type { OperatorBankPaymentsQuery } from '../../../../generated/console-types/graphql.ts';
import { operatorBankPaymentsDocument } from '../../../../generated/console-types/pages/operator/banks.ts';
import { SubjectLink } from './place.tsx';

const words = texts.operatorBanks.payments;

type Payment = OperatorBankPaymentsQuery['operatorBankPayments']['edges'][number]['node'];

/** The payments of a file in its order, with what the bank said of each. */
export function BankPayments({ batchId }: { readonly batchId: string }) {
  const place = useSearch({ from: '/shell/operator/banks/batches/$id' });
  const navigate = useNavigate({ from: '/operator/banks/batches/$id' });
  const fresh = useFresh(operatorBankPaymentsDocument, { batchId, ...forwards(place) });
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorBankPayments ?? null}
        place={place}
        onPlace={(to) => void navigate({ search: to })}
        versionOf={({ state, acknowledgedAt, debitedOn, returnedOn }) =>
          [state, acknowledgedAt, debitedOn, returnedOn].join(' ')
        }
        empty={<Empty title={words.none} />}
        columns={[
          {
            name: 'position',
            title: words.position,
            align: 'end',
            cell: ({ position }) => position,
          },
          {
            name: 'payout',
            title: words.payout,
            cell: ({ payoutId, traceNumber }) => (
              <>
                <SubjectLink about={payoutId} />
                {traceNumber && (
                  <div className="muted small">{words.trace({ number: traceNumber })}</div>
                )}
              </>
            ),
          },
          {
            name: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ amountMinor, currency }) => (
              <Amount minor={amountMinor} currency={currency} aligned />
            ),
          },
          {
            name: 'state',
            title: words.state,
            cell: ({ state }) => <PayoutStateMark state={state} />,
          },
          { name: 'bank', title: words.bank, cell: (row) => <SaidByBank payment={row} /> },
        ]}
      />
    </Card>
  );
}

function SaidByBank({ payment }: { readonly payment: Payment }) {
  const { acknowledgedAt, debitedOn, returnedOn, failureMessage } = payment;
  if (!acknowledgedAt && !debitedOn && !returnedOn && !failureMessage) return words.nothing;
  return (
    <div className="reading small">
      {acknowledgedAt && (
        <div>
          {words.acknowledged} <Time at={acknowledgedAt} />
        </div>
      )}
      {debitedOn && <div>{words.debited({ day: shortDay(debitedOn) })}</div>}
      {returnedOn && <div>{words.returned({ day: shortDay(returnedOn) })}</div>}
      {failureMessage && <div>{failureMessage}</div>}
    </div>
  );
}
