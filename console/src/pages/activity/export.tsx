import { useState } from 'react';
import { useClient, type OperationResult } from 'urql';
import type { ActivityFilter, ActivityQuery } from '../../../../generated/console-types/graphql.ts';
import { activityDocument } from '../../../../generated/console-types/pages/activity/activity.ts';
import { Button } from '../../parts/button.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { offerFile } from '../../parts/offer-file.ts';
import { texts } from '../../texts/texts.ts';
import { writeCsv } from '../../values/csv.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import { subjectOf, whatOf, whoOf, type Activity } from './told.ts';

const words = texts.activity;

/** A page of the file's rows, and as many as a file has. */
const pageSize = 100;
const mostRows = 5_000;

const header = [words.when, words.what, words.about, words.who, words.id];

const rowOf = (row: Activity): string[] => [
  row.occurredAt,
  whatOf(row),
  subjectOf(row),
  whoOf(row),
  row.payout?.id ?? row.id,
];

/** Writes what the filter chooses as a CSV, up to 5,000 rows. */
export function ExportActivity({ filter }: { readonly filter: ActivityFilter }) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const write = async () => {
    setBusy(true);
    setFault(null);
    const rows: string[][] = [];
    let after: string | null = null;
    do {
      const { data, error }: OperationResult<ActivityQuery> = await client
        .query(
          activityDocument,
          { first: pageSize, after, filter },
          { requestPolicy: 'network-only' },
        )
        .toPromise();
      if (data === undefined) {
        setFault(faultOf(error));
        break;
      }
      rows.push(...data.activity.edges.map(({ node }) => rowOf(node)));
      const { hasNextPage, endCursor }: ActivityQuery['activity']['pageInfo'] =
        data.activity.pageInfo;
      after = hasNextPage ? (endCursor ?? null) : null;
    } while (after !== null && rows.length < mostRows);
    setBusy(false);
    if (rows.length === 0) return;
    offerFile('activity.csv', writeCsv([header, ...rows]), 'text/csv');
    announce(words.exported({ count: rows.length }));
  };
  return (
    <>
      <Button busy={busy} onClick={() => void write()}>
        {words.export}
      </Button>
      <FaultNote fault={fault} />
    </>
  );
}
