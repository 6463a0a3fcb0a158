import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { BankDeskLinesQuery } from '../../../../generated/console-types/graphql.ts';
import {
  bankDeskLinesDocument,
  bankDeskMissingDocument,
} from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards, pageOf, type ListPlace } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { PayoutLink } from '../../parts/payout-link.tsx';
import type { Column } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import { Proposals } from './proposals.tsx';

const words = texts.banks.desk;
const lineWords = texts.operatorBanks.lines;

type Line = BankDeskLinesQuery['bankReconciliationLines']['edges'][number]['node'];

/** What banks say and nobody has matched: movements with what they may be, debits that are missing, corrected accounts. */
export function BankDeskPage() {
  const { missing, accounts, ...place } = useSearch({ from: '/shell/banks/desk' });
  const navigate = useNavigate({ from: '/banks/desk' });
  const others = {
    ...(missing === undefined ? {} : { missing }),
    ...(accounts === undefined ? {} : { accounts }),
  };
  const go = (search: ListPlace & { missing?: string; accounts?: string }) =>
    void navigate({ search, resetScroll: false });
  const turn = (name: 'missing' | 'accounts', after: string | undefined) => {
    const { [name]: _left, ...kept } = { ...place, ...others } as Record<string, string>;
    go(after === undefined ? kept : { ...kept, [name]: after });
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Link className="button" to="/banks">
          {texts.banks.title}
        </Link>
      }
    >
      <div className="stack">
        <Lines place={place} onPlace={(to) => go({ ...others, ...to })} />
        <Missing after={missing} onAfter={(after) => turn('missing', after)} />
        <Proposals after={accounts} onAfter={(after) => turn('accounts', after)} />
      </div>
    </Page>
  );
}

interface LinesProps {
  readonly place: ListPlace;
  onPlace(place: ListPlace): void;
}

function Lines({ place, onPlace }: LinesProps) {
  const fresh = useFresh(bankDeskLinesDocument, pageOf(place));
  return (
    <Card title={lineWords.title} flush>
      <Listing
        caption={lineWords.title}
        fresh={fresh}
        page={fresh.data?.bankReconciliationLines ?? null}
        place={place}
        onPlace={onPlace}
        versionOf={({ doubt, candidates }) => `${doubt ?? ''} ${candidates.length}`}
        empty={<Empty title={words.none}>{words.noneHint}</Empty>}
        columns={lineColumns}
      />
    </Card>
  );
}

const lineColumns: readonly Column<Line>[] = [
  {
    name: 'movement',
    title: lineWords.movement,
    cell: ({ direction, bookedOn, bankReference, endToEndId }) => (
      <div className="reading">
        <strong>{direction === 'debit' ? lineWords.debit : lineWords.credit}</strong>
        {bookedOn && <div className="small">{lineWords.booked({ day: shortDay(bookedOn) })}</div>}
        {bankReference && (
          <div className="muted small">
            <code>{bankReference}</code>
          </div>
        )}
        {endToEndId && (
          <div className="muted small">
            <code>{endToEndId}</code>
          </div>
        )}
      </div>
    ),
  },
  {
    name: 'amount',
    title: lineWords.amount,
    align: 'end',
    cell: ({ amountMinor, currency }) =>
      amountMinor === null ? (
        lineWords.noAmount
      ) : (
        <Amount minor={amountMinor} currency={currency} aligned />
      ),
  },
  {
    name: 'why',
    title: lineWords.why,
    cell: ({ doubt }) => (doubt === null ? '–' : words.doubts[doubt]),
  },
  {
    name: 'may',
    title: words.may,
    cell: ({ candidates }) =>
      candidates.length === 0 ? (
        <span className="muted">{words.noCandidate}</span>
      ) : (
        <ul className="plain">
          {candidates.map(({ subjectId, payoutId, batchId, executionDate }) => (
            <li key={subjectId}>
              {payoutId === null ? (
                <Link to="/banks/batches/$id" params={{ id: batchId }} search={{}}>
                  {words.wholeFile}
                </Link>
              ) : (
                <PayoutLink id={payoutId} />
              )}{' '}
              <span className="muted small">{words.due({ day: shortDay(executionDate) })}</span>
            </li>
          ))}
        </ul>
      ),
  },
];

interface MissingProps {
  readonly after: string | undefined;
  onAfter(after: string | undefined): void;
}

/** The payouts that no statement shows although it should. */
function Missing({ after, onAfter }: MissingProps) {
  const place = after === undefined ? {} : { after };
  const fresh = useFresh(bankDeskMissingDocument, forwards(place));
  return (
    <Card title={words.missing} flush>
      <Listing
        caption={words.missing}
        fresh={fresh}
        page={fresh.data?.bankReconciliationMissingDebits ?? null}
        place={place}
        onPlace={(to) => onAfter(to.after)}
        versionOf={({ id }) => id}
        empty={<Empty title={words.noMissing} />}
        columns={[
          { name: 'payout', title: words.payout, cell: ({ id }) => <PayoutLink id={id} /> },
          {
            name: 'file',
            title: texts.banks.batches.file,
            cell: ({ batchId }) => (
              <Link to="/banks/batches/$id" params={{ id: batchId }} search={{}}>
                <code>{batchId}</code>
              </Link>
            ),
          },
          {
            name: 'due',
            title: texts.banks.batches.execution,
            cell: ({ executionDate }) => shortDay(executionDate),
          },
          {
            name: 'amount',
            title: lineWords.amount,
            align: 'end',
            cell: ({ amountMinor, currency }) => (
              <Amount minor={amountMinor} currency={currency} aligned />
            ),
          },
        ]}
      />
    </Card>
  );
}
