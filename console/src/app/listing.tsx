import type { ReactNode } from 'react';
import { useChanges } from './changes.ts';
import type { Fresh } from './fresh.ts';
import type { ListPlace } from './place.ts';
import { Pager } from '../parts/pager.tsx';
import { Pending } from '../parts/pending.tsx';
import { Table, type Column } from '../parts/table.tsx';

interface Connection<Row> {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly endCursor?: string | null | undefined;
    readonly hasPreviousPage?: boolean;
    readonly startCursor?: string | null | undefined;
  };
}

interface ListingProps<Row extends { readonly id: string }> {
  readonly caption: string;
  /** The query that reads the list, with what went wrong with it. */
  readonly fresh: Pick<Fresh<unknown>, 'fault' | 'refresh'>;
  /** Null while it is on its way. */
  readonly page: Connection<Row> | null;
  readonly columns: readonly Column<Row>[];
  /** What differs in a row that changed under the reader. */
  versionOf(row: Row): string;
  /** Stands in the place of a list without rows. */
  readonly empty: ReactNode;
  /** Absent for a list of one page. */
  readonly place?: ListPlace;
  onPlace?(place: ListPlace): void;
}

/** A list that refreshes: loading, empty, failed, or its rows with the ways to the pages beside it. */
export function Listing<Row extends { readonly id: string }>(props: ListingProps<Row>) {
  const { caption, fresh, page, columns, versionOf, empty, place = {}, onPlace } = props;
  const rows = page?.edges.map(({ node }) => node) ?? null;
  const changed = useChanges(`${caption} ${JSON.stringify(place)}`, rows, versionOf);
  if (rows === null) return <Pending of={fresh} />;
  const { hasNextPage, endCursor, hasPreviousPage = false, startCursor } = page?.pageInfo ?? {};
  const turn = (to: ListPlace | null) =>
    to === null || onPlace === undefined ? {} : { go: () => onPlace(to) };
  const next = turn(hasNextPage === true && endCursor ? { after: endCursor } : null).go;
  const previous = turn(hasPreviousPage && startCursor ? { before: startCursor } : null).go;
  return (
    <>
      {rows.length === 0 ? (
        empty
      ) : (
        <Table
          caption={caption}
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          changed={changed}
        />
      )}
      {(rows.length > 0 || previous !== undefined || next !== undefined) && (
        <Pager
          of={caption}
          shown={rows.length}
          {...(previous === undefined ? {} : { onPrevious: previous })}
          {...(next === undefined ? {} : { onNext: next })}
        />
      )}
    </>
  );
}
