import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';
import { placeBelow } from './popover.ts';

const words = texts.filterBar;

interface FilterChipProps {
  /** What it is about. */
  readonly label: string;
  /** What is chosen, in words; null where nothing is. */
  readonly value: string | null;
  onClear(): void;
  /** The fields in which it is chosen, with a way to close them. They begin anew each time. */
  children?(close: () => void): ReactNode;
}

/** One condition of a list: offered, or chosen and then taken away by itself. */
export function FilterChip({ label, value, onClear, children }: FilterChipProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (!open) return;
    placeBelow(opener.current, panel.current);
    panel.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [open]);
  return (
    <span className="filter-chip" data-set={value !== null}>
      {children === undefined ? (
        <ChipText label={label} value={value} />
      ) : (
        <button ref={opener} type="button" popoverTarget={id}>
          {value === null && <Icon name="plus" />}
          <ChipText label={label} value={value} />
        </button>
      )}
      {value !== null && (
        <button type="button" aria-label={words.remove({ name: label })} onClick={onClear}>
          <Icon name="close" />
        </button>
      )}
      {children !== undefined && (
        <div
          ref={panel}
          id={id}
          className="menu filter-panel"
          popover="auto"
          onToggle={({ newState }) => setOpen(newState === 'open')}
        >
          {open && children(() => document.getElementById(id)?.hidePopover())}
        </div>
      )}
    </span>
  );
}

function ChipText({ label, value }: Pick<FilterChipProps, 'label' | 'value'>) {
  if (value === null) return label;
  return (
    <span className="chip-text">
      <span className="muted">{label}</span> {value}
    </span>
  );
}
