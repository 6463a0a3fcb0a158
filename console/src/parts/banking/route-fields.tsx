import { texts } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { Choice } from '../choice.tsx';
import { CodeField } from '../code-field.tsx';
import { Field } from '../field.tsx';
import type { RoutedConnection, RouteRow } from './route-row.ts';

const words = texts.banks.routes;

interface FieldsProps {
  readonly row: RouteRow;
  /** From 1. */
  readonly place: number;
  readonly last: boolean;
  readonly providers: readonly string[];
  readonly connections: readonly RoutedConnection[];
  onChange(row: RouteRow): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
}

/** One route of the list: what it is chosen by, who pays, and its place. */
export function RouteFields(props: FieldsProps) {
  const { row, place, last, connections, onChange, onMove, onRemove } = props;
  const set = (changed: Partial<RouteRow>) => onChange({ ...row, ...changed });
  const name = words.routeOf({ place });
  const connection = connections.find(({ id }) => id === row.target);
  const schemes = Object.fromEntries(
    (connection?.schemes ?? []).map((scheme) => [scheme, texts.banks.schemes[scheme]]),
  ) as Partial<typeof texts.banks.schemes> as typeof texts.banks.schemes;
  const amount = (label: string, value: string, key: 'from' | 'to') => (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          className="input"
          inputMode="decimal"
          disabled={row.currency === ''}
          value={value}
          onChange={({ target }) => set({ [key]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <li>
      <fieldset className="route">
        <legend>{name}</legend>
        <div className="columns">
          <Target {...props} />
          {connection?.schemes !== undefined && (
            <Choice
              label={words.scheme}
              options={schemes}
              any={words.anyScheme}
              value={row.scheme}
              onChange={(scheme) => set({ scheme })}
            />
          )}
          <CodeField
            of="currency"
            name="currency"
            label={words.currency}
            none={words.anyCurrency}
            value={row.currency}
            onChange={(currency) =>
              set(currency === '' ? { currency, from: '', to: '' } : { currency })
            }
          />
          <CodeField
            of="country"
            name="country"
            label={words.country}
            none={words.anyCountry}
            value={row.country}
            onChange={(country) => set({ country })}
          />
          {amount(words.from, row.from, 'from')}
          {amount(words.to, row.to, 'to')}
        </div>
        <div className="row">
          {place > 1 && (
            <Button aria-label={words.upOf({ place })} onClick={() => onMove(-1)}>
              {words.up}
            </Button>
          )}
          {!last && (
            <Button aria-label={words.downOf({ place })} onClick={() => onMove(1)}>
              {words.down}
            </Button>
          )}
          <Button aria-label={words.removeOf({ place })} onClick={onRemove}>
            {words.remove}
          </Button>
        </div>
      </fieldset>
    </li>
  );
}

/** Who pays: a connection that is not closed, or a provider of the service. */
function Target({ row, providers, connections, onChange }: FieldsProps) {
  const known = [...connections.map(({ id }) => id), ...providers];
  return (
    <Field label={words.target}>
      {(field) => (
        <select
          {...field}
          className="input"
          value={row.target}
          onChange={({ target }) => onChange({ ...row, target: target.value, scheme: undefined })}
        >
          <option value="">{words.chooseTarget}</option>
          {connections
            .filter(({ id, status }) => status !== 'closed' || id === row.target)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          {providers.map((provider) => (
            <option key={provider} value={provider}>
              {provider}
            </option>
          ))}
          {row.target !== '' && !known.includes(row.target) && (
            <option value={row.target}>{row.target}</option>
          )}
        </select>
      )}
    </Field>
  );
}
