import { useState, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const words = texts.filterBar;

interface FilterBarProps {
  /** Where something of the list is looked for; stands first. */
  readonly search?: ReactNode;
  /** How many conditions are chosen. */
  readonly chosen: number;
  onClear(): void;
  /** The chips. */
  readonly children: ReactNode;
  /** Stands at the end of the bar: views, columns, export. */
  readonly aside?: ReactNode;
}

/** Search and conditions of a list in one bar. On a phone the conditions are behind a button. */
export function FilterBar({ search, chosen, onClear, children, aside }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  return (
    <section className="filter-bar" aria-label={words.label} data-open={open}>
      {search}
      <div className="filter-toggle">
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name="filter" />
          {chosen === 0 ? words.label : words.chosen({ n: chosen })}
        </Button>
      </div>
      <div className="filter-chips">
        {children}
        {chosen > 0 && (
          <Button kind="plain" onClick={onClear}>
            {words.clear}
          </Button>
        )}
      </div>
      {aside !== undefined && <div className="filter-aside">{aside}</div>}
    </section>
  );
}
