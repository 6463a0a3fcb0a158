import type {
  RoutedPartsFragment,
  WayPartsFragment,
} from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { Amount } from '../amount.tsx';
import { Card } from '../card.tsx';
import { StateMark } from '../state.tsx';
import { Table } from '../table.tsx';
import { targetName } from './route-table.tsx';

const words = texts.banks.routes;

interface Named {
  readonly id: string;
  readonly name: string;
}

interface PreviewProps {
  readonly rows: readonly RoutedPartsFragment[];
  readonly connections: readonly Named[];
}

const wayKey = ({ kind, provider, scheme }: WayPartsFragment): string =>
  `${kind} ${provider ?? ''} ${scheme ?? ''}`;

/** Where the latest payouts go and where they would go: those first that would go elsewhere. */
export function RoutesPreview({ rows, connections }: PreviewProps) {
  const moves = (row: RoutedPartsFragment) => wayKey(row.before) !== wayKey(row.after);
  const sorted = rows.toSorted((a, b) => Number(moves(b)) - Number(moves(a)));
  const moved = rows.filter(moves).reduce((sum, { count }) => sum + count, 0);
  return (
    <Card
      title={words.previewTitle}
      flush
      aside={
        <StateMark tone={moved === 0 ? 'calm' : 'wait'}>{words.moved({ count: moved })}</StateMark>
      }
    >
      {rows.length === 0 ? (
        <p className="card-body muted">{words.noPayouts}</p>
      ) : (
        <Table
          caption={words.previewTitle}
          rows={sorted}
          rowId={({ payoutId }) => payoutId}
          columns={[
            { name: 'count', title: words.payouts, align: 'end', cell: ({ count }) => count },
            {
              name: 'amount',
              title: texts.banks.month.amount,
              align: 'end',
              cell: ({ amountMinor, currency }) => (
                <Amount minor={amountMinor} currency={currency} aligned />
              ),
            },
            {
              name: 'before',
              title: words.before,
              cell: ({ before }) => <Way way={before} connections={connections} />,
            },
            {
              name: 'after',
              title: words.after,
              cell: (row) =>
                moves(row) ? (
                  <Way way={row.after} connections={connections} />
                ) : (
                  <span className="muted">{words.same}</span>
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

interface WayProps {
  readonly way: WayPartsFragment;
  readonly connections: readonly Named[];
}

function Way({ way, connections }: WayProps) {
  const { kind, scheme, problems } = way;
  return (
    <div className="reading">
      {kind === 'none' ? words.ways.none : targetName(way, connections)}
      {scheme && <div className="muted small">{texts.banks.schemes[scheme]}</div>}
      {(kind === 'away' || kind === 'unwritable') && (
        <StateMark tone="bad">{words.ways[kind]}</StateMark>
      )}
      {problems.map((problem) => (
        <p key={problem} className="small">
          {problem}
        </p>
      ))}
    </div>
  );
}
