import type { ReactNode } from 'react';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { FilterChip } from '../../parts/filter-chip.tsx';
import { texts } from '../../texts/texts.ts';
import { CurrencyChip, FailureChip, StatusChip } from './choice-chips.tsx';
import { conditionsOf, filterOf, type ListAddress } from './filters.ts';
import { MoreChip, RangeChip } from './range-chips.tsx';
import { othersOf, ranges } from './ranges.ts';

const words = texts.payouts.filter;

interface PayoutFiltersProps {
  readonly address: ListAddress;
  readonly search: ReactNode;
  readonly aside: ReactNode;
  onApply(address: ListAddress): void;
}

/** Search and conditions of the list. What is applied is the address, so that it can be kept and passed on. */
export function PayoutFilters({ address, search, aside, onApply }: PayoutFiltersProps) {
  const change = (part: ListAddress, without: readonly string[] = []) => {
    const kept = Object.entries(filterOf(address)).filter(([name]) => !without.includes(name));
    onApply({ ...Object.fromEntries(kept), ...part });
  };
  const chip = { address, onChange: change };
  return (
    <FilterBar
      search={search}
      chosen={conditionsOf(address)}
      onClear={() => onApply({})}
      aside={aside}
    >
      <StatusChip {...chip} />
      <CurrencyChip {...chip} />
      {ranges.map((by) => (
        <RangeChip key={by} by={by} {...chip} />
      ))}
      <FailureChip {...chip} />
      {Object.entries(othersOf(address)).map(([name, value]) => (
        <FilterChip
          key={name}
          label={words.names[name as keyof typeof words.names] ?? name}
          value={typeof value === 'boolean' ? words.yesNo[`${value}`] : String(value)}
          onClear={() => change({}, [name])}
        />
      ))}
      <MoreChip {...chip} />
    </FilterBar>
  );
}
