/* Ranges of days by the reader's calendar; both days of a range are in it. */

const midnight = (day: Date, shift: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + shift);

/** When a day YYYY-MM-DD begins, or the one so many days behind it, as an ISO time. */
export const beginOf = (day: string, shift = 0): string =>
  midnight(new Date(`${day}T00:00:00`), shift).toISOString();

/** The day YYYY-MM-DD of a time, or the one so many days behind it. */
export function dayOf(at: string, shift = 0): string {
  const day = midnight(new Date(at), shift);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
