import type { ListAddress } from './filters.ts';

/** What each chip of the bar is given. */
export interface ChipProps {
  readonly address: ListAddress;
  /** Goes to the list with these conditions in place of those of that name. */
  onChange(part: ListAddress, without?: readonly string[]): void;
}
