import { getRouteApi, Link } from '@tanstack/react-router';
import { useChanges } from '../../app/changes.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { pageVariables } from './address.ts';
import type { ListedPayout } from './cells.ts';
import { useColumns } from './columns.tsx';
import { ExportList } from './export.tsx';
import { PayoutFilters } from './filter-bar.tsx';
import { filterOf, isNarrowed, type ListAddress } from './filters.ts';
import { Find } from './find.tsx';
import { Found } from './found.tsx';
import { Sums } from './sums.tsx';
import { Views } from './views.tsx';
import { payoutListDocument } from '../../../../generated/console-types/pages/payouts/payouts.ts';
import './payouts.css';

const route = getRouteApi('/shell/payouts');
const words = texts.payouts;

/** All payouts: looked for, filtered by what the address says, in columns of the reader's choice. */
export function PayoutsPage() {
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const { columns, menu, chosen, restore } = useColumns();
  const go = (to: ListAddress) => void navigate({ search: to });
  const find = (
    <Find text={address.find ?? ''} onFind={(text) => go(text === '' ? {} : { find: text })} />
  );
  return (
    <Page title={words.title} actions={<MakeLinks />}>
      {address.find === undefined ? (
        <>
          <PayoutFilters
            address={address}
            onApply={go}
            search={find}
            aside={
              <>
                <Views address={address} columns={chosen.join(' ')} onColumns={restore} />
                <span className="of-columns">{menu}</span>
                <ExportList address={address} columns={chosen} />
              </>
            }
          />
          <Sums address={address} />
          <List address={address} columns={columns} onGo={go} />
        </>
      ) : (
        <>
          <div className="filter-bar">{find}</div>
          <Found text={address.find} columns={columns} aside={menu} />
        </>
      )}
    </Page>
  );
}

function MakeLinks() {
  const mayMake = useMay('payouts:write');
  if (!mayMake) return null;
  return (
    <>
      <Link className="button" to="/payees/new" search={{ aim: 'pay' }}>
        {texts.payees.someone}
      </Link>
      <Link className="button" to="/payouts/batches" search={{}}>
        {texts.batches.title}
      </Link>
      <Link className="button" to="/payouts/import">
        {words.import}
      </Link>
      <Link className="button" data-kind="primary" to="/payouts/new">
        {words.create}
      </Link>
    </>
  );
}

interface ListProps {
  readonly address: ListAddress;
  readonly columns: readonly Column<ListedPayout>[];
  onGo(to: ListAddress): void;
}

function List({ address, columns, onGo }: ListProps) {
  const filter = filterOf(address);
  const variables = { ...pageVariables(address), filter };
  const fresh = useFresh(payoutListDocument, variables);
  const { data } = fresh;
  const rows = data?.payouts.edges.map(({ node }) => node) ?? null;
  const changed = useChanges(JSON.stringify(address), rows, ({ updatedAt }) => updatedAt);
  if (data === null || rows === null) {
    return (
      <Card flush>
        <Pending of={fresh} lines={8} />
      </Card>
    );
  }
  const { pageInfo, totalCount, totalCountIsExact } = data.payouts;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  return (
    <>
      <Card flush>
        {rows.length === 0 && !hasNextPage ? (
          <Empty title={isNarrowed(address) ? words.empty : words.none}>
            <p>{isNarrowed(address) ? words.emptyText : words.noneText}</p>
          </Empty>
        ) : (
          <Table
            caption={words.caption}
            rows={rows}
            rowId={({ id }) => id}
            columns={columns}
            changed={changed}
          />
        )}
        {rows.length === 0 && hasNextPage && <Note>{words.short}</Note>}
        <Pager
          shown={rows.length}
          total={totalCount}
          totalIsExact={totalCountIsExact}
          {...(hasPreviousPage && startCursor !== null
            ? { onPrevious: () => onGo({ ...filter, before: startCursor } as ListAddress) }
            : {})}
          {...(hasNextPage && endCursor !== null
            ? { onNext: () => onGo({ ...filter, after: endCursor } as ListAddress) }
            : {})}
        />
      </Card>
    </>
  );
}
