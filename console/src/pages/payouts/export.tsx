import { useState } from 'react';
import { useClient, type OperationResult } from 'urql';
import type { PayoutListQuery } from '../../../../generated/console-types/graphql.ts';
import { payoutListDocument } from '../../../../generated/console-types/pages/payouts/payouts.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { offerFile } from '../../parts/offer-file.ts';
import { texts } from '../../texts/texts.ts';
import { writeCsv } from '../../values/csv.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import { cellsOf, headersOf, type ColumnName } from './cells.ts';
import { filterOf, type ListAddress } from './filters.ts';

const words = texts.payouts.export;

/** A page of the file's rows, and as many as a file has; larger ones are made on the page of exports. */
const pageSize = 100;
const mostRows = 5_000;

interface ExportListProps {
  readonly address: ListAddress;
  readonly columns: readonly ColumnName[];
}

/** Writes what the list holds on all its pages as a CSV, in the columns that are seen. */
export function ExportList({ address, columns }: ExportListProps) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const write = async () => {
    setBusy(true);
    setFault(null);
    const rows: string[][] = [];
    let after: string | null = null;
    let whole = true;
    do {
      const { data, error }: OperationResult<PayoutListQuery> = await client
        .query(
          payoutListDocument,
          { first: pageSize, after, last: null, before: null, filter: filterOf(address) },
          { requestPolicy: 'network-only' },
        )
        .toPromise();
      if (data === undefined) {
        setFault(faultOf(error));
        whole = false;
        break;
      }
      rows.push(...data.payouts.edges.map(({ node }) => cellsOf(node, columns)));
      const { hasNextPage, endCursor }: PayoutListQuery['payouts']['pageInfo'] =
        data.payouts.pageInfo;
      after = hasNextPage ? endCursor : null;
    } while (after !== null && rows.length < mostRows);
    setBusy(false);
    // Half of a list would be taken for the whole of it.
    if (!whole) return;
    offerFile('payouts.csv', writeCsv([headersOf(columns), ...rows]), 'text/csv');
    const count = rows.length;
    announce(after === null ? words.done({ count }) : words.first({ n: count }));
  };
  return (
    <>
      <Button busy={busy} onClick={() => void write()}>
        <Icon name="download" />
        <span className="word">{words.action}</span>
      </Button>
      <FaultNote fault={fault} />
    </>
  );
}
