import { useMemo } from 'react';
import { Button } from '../../parts/button.tsx';
import { texts } from '../../texts/texts.ts';
import { currencyNames } from '../../values/places.ts';
import { newBand, type EditedBand } from './edited.ts';

const words = texts.policy;

interface BandsProps {
  readonly label: string;
  readonly bands: readonly EditedBand[];
  onChange(bands: readonly EditedBand[]): void;
}

/** Bands of amounts as a table, a line for each currency. */
export function BandsField({ label, bands, onChange }: BandsProps) {
  const set = (at: number, changed: Partial<EditedBand>) =>
    onChange(bands.map((band, index) => (index === at ? { ...band, ...changed } : band)));
  return (
    <div className="stack">
      <table className="table" data-stacks={false}>
        <caption className="hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{words.bands.currency}</th>
            <th scope="col">{words.bands.from}</th>
            <th scope="col">{words.bands.below}</th>
            <th scope="col">
              <span className="hidden">{words.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {bands.map((band, index) => (
            <BandRow
              // The order of the lines is all that tells two of them apart.
              key={index}
              band={band}
              onChange={(changed) => set(index, changed)}
              onRemove={
                bands.length === 1
                  ? null
                  : () => onChange(bands.filter((_, other) => other !== index))
              }
            />
          ))}
        </tbody>
      </table>
      <div className="row">
        <Button onClick={() => onChange([...bands, newBand()])}>{words.bands.add}</Button>
        <span className="muted small">{words.bands.others}</span>
      </div>
    </div>
  );
}

interface BandRowProps {
  readonly band: EditedBand;
  onChange(changed: Partial<EditedBand>): void;
  /** Null for the only one. */
  readonly onRemove: (() => void) | null;
}

function BandRow({ band, onChange, onRemove }: BandRowProps) {
  const currencies = useMemo(() => currencyNames(), []);
  const { currency } = band;
  const amount = (bound: 'from' | 'below') => (
    <input
      className="input amount-input"
      inputMode="decimal"
      autoComplete="off"
      aria-label={words.bands.boundOf({ bound: words.bands[bound], currency })}
      placeholder={words.bands.none}
      value={band[bound]}
      onChange={({ target }) => onChange({ [bound]: target.value })}
    />
  );
  return (
    <tr>
      <td>
        <select
          className="input"
          aria-label={words.bands.currency}
          value={currency}
          onChange={({ target }) => onChange({ currency: target.value })}
        >
          {currencies.map(({ code }) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </select>
      </td>
      <td>{amount('from')}</td>
      <td>{amount('below')}</td>
      <td>
        {onRemove !== null && (
          <Button kind="plain" onClick={onRemove} aria-label={words.bands.removeOf({ currency })}>
            {words.remove}
          </Button>
        )}
      </td>
    </tr>
  );
}
