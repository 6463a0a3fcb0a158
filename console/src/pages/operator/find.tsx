import { Navigate, useSearch } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorFindQuery } from '../../../../generated/console-types/graphql.ts';
import { FindForm } from './find-form.tsx';
import { operatorFindDocument } from '../../../../generated/console-types/pages/operator/payout.ts';
import { OfBusiness, SubjectLink } from './place.tsx';

const words = texts.operatorPayout.find;
type FoundSubject = OperatorFindQuery['operatorFind'][number];

/** Leads from an id or a reference to its payout; where several carry it, or another thing does, it lists them. */
export function FindPage() {
  const { what } = useSearch({ from: '/shell/operator/find' });
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="stack">
        <FindForm what={what ?? ''} />
        <Card flush {...(what === undefined ? {} : { title: words.found })}>
          {what === undefined ? (
            <Empty title={words.begin}>
              <p>{words.beginText}</p>
            </Empty>
          ) : (
            <Hits key={what} what={what} />
          )}
        </Card>
      </div>
    </Page>
  );
}

function Hits({ what }: { readonly what: string }) {
  const fresh = useFresh(operatorFindDocument, { what });
  const { data } = fresh;
  if (data === null) return <Pending of={fresh} lines={3} />;
  const hits = data.operatorFind;
  const [only] = hits;
  if (only === undefined) {
    return (
      <Empty title={words.none}>
        <p>{words.noneText}</p>
      </Empty>
    );
  }
  if (hits.length === 1 && only.payoutId !== null) {
    return <Navigate to="/operator/payouts/$id" params={{ id: only.payoutId }} replace />;
  }
  return <HitTable hits={hits} />;
}

function HitTable({ hits }: { readonly hits: readonly FoundSubject[] }) {
  return (
    <Table
      caption={words.found}
      rows={hits}
      rowId={({ kind, id }) => `${kind} ${id}`}
      columns={[
        { name: 'kind', title: words.kind, cell: ({ kind }) => kind },
        { name: 'id', title: words.id, cell: ({ id }) => <SubjectLink about={id} /> },
        { name: 'of', title: words.of, cell: ({ of }) => <OfBusiness of={of} /> },
        { name: 'state', title: words.state, cell: ({ state }) => state ?? '–' },
        {
          name: 'payout',
          title: words.payout,
          cell: ({ id, payoutId }) =>
            payoutId === null || payoutId === id ? '–' : <SubjectLink about={payoutId} />,
        },
      ]}
    />
  );
}
