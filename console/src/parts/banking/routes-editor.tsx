import { useState } from 'react';
import type {
  PayoutRouteInput,
  RoutedPartsFragment,
  RoutePartsFragment,
} from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';
import { Button } from '../button.tsx';
import { Card } from '../card.tsx';
import { announce } from '../live.tsx';
import { FaultNote } from '../note.tsx';
import { inputOf, rowOf, type RoutedConnection, type RouteRow } from './route-row.ts';
import { RouteFields } from './route-fields.tsx';
import { RoutesPreview } from './routes-preview.tsx';

const words = texts.banks.routes;

interface Preview {
  readonly fault: Fault | null;
  readonly rows: readonly RoutedPartsFragment[] | null;
}

interface RoutedPayer {
  readonly name: string;
  /** Null for a provider of the deployment. */
  readonly connectionId: string | null;
}

interface EditorProps {
  readonly routes: readonly RoutePartsFragment[];
  /** To whom routes may lead; those that are connections are among `connections`. */
  readonly payers: readonly RoutedPayer[];
  readonly connections: readonly RoutedConnection[];
  readonly fault: Fault | null;
  readonly busy: boolean;
  onPreview(routes: PayoutRouteInput[]): Promise<Preview>;
  /** Absent for somebody who may only try routes. */
  onSave?(routes: PayoutRouteInput[]): void | Promise<void>;
}

let made = 0;

/** A number of its own for each row, so that the focus stays with it while it moves. */
const nextKey = (): number => {
  made += 1;
  return made;
};

/** The list of routes, each with its conditions, in the order in which they are tried; tried out before it is saved. */
export function RoutesEditor(props: EditorProps) {
  const { routes, payers, connections, fault, busy, onPreview, onSave } = props;
  const providers = payers.flatMap(({ name, connectionId }) =>
    connectionId === null ? [name] : [],
  );
  const [rows, setRows] = useState<readonly RouteRow[]>(() =>
    routes.map((route) => rowOf(route, nextKey())),
  );
  const [preview, setPreview] = useState<Preview | null>(null);
  const [asking, setAsking] = useState(false);
  const [wrong, setWrong] = useState(false);
  const set = (next: readonly RouteRow[]) => {
    setRows(next);
    setPreview(null);
  };
  const given = (): PayoutRouteInput[] | null => {
    const inputs = rows.map(inputOf);
    const isWhole = inputs.every((input) => input !== null);
    setWrong(!isWhole);
    return isWhole ? inputs : null;
  };
  const look = async () => {
    const asked = given();
    if (asked === null || asking) return;
    setAsking(true);
    const found = await onPreview(asked);
    setAsking(false);
    setPreview(found);
    if (found.rows !== null) announce(words.previewed);
  };
  const move = (index: number, by: -1 | 1) => {
    const row = rows[index];
    if (row !== undefined) set(rows.toSpliced(index, 1).toSpliced(index + by, 0, row));
  };
  return (
    <>
      <Card title={words.list}>
        <div className="stack">
          {rows.length === 0 && <p className="muted">{words.none}</p>}
          <ol className="plain stack">
            {rows.map((row, index) => (
              <RouteFields
                key={row.key}
                row={row}
                place={index + 1}
                last={index === rows.length - 1}
                providers={providers}
                connections={connections}
                onChange={(changed) => set(rows.with(index, changed))}
                onMove={(by) => move(index, by)}
                onRemove={() => set(rows.toSpliced(index, 1))}
              />
            ))}
          </ol>
          <div className="row">
            <Button onClick={() => set([...rows, rowOf(null, nextKey())])}>{words.add}</Button>
            <Button busy={asking} onClick={() => void look()}>
              {words.preview}
            </Button>
            {onSave && (
              <Button
                kind="primary"
                busy={busy}
                onClick={() => {
                  const asked = given();
                  if (asked !== null) void onSave(asked);
                }}
              >
                {texts.action.save}
              </Button>
            )}
          </div>
          <div role="alert">{wrong && <p className="fault">{words.incomplete}</p>}</div>
          <FaultNote fault={fault ?? preview?.fault ?? null} />
        </div>
      </Card>
      {preview?.rows != null && <RoutesPreview rows={preview.rows} connections={connections} />}
    </>
  );
}
