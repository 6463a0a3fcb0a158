/** Where the page that a mailed link leads back to is kept, in this browser: the link opens in a tab of its own. */
const storageKey = 'payouts-way-back';

/** A link works for less; afterwards the page is wanted no more. */
const keptMs = 3_600_000;

/** Only addresses of the console: a link to the sign-in page leads nobody elsewhere. */
export const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined;

/** Keeps the page for which somebody asks for a link; without one, forgets what was kept before. */
export function keepWayBack(to: string | undefined): void {
  if (to === undefined) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, `${Date.now() + keptMs} ${to}`);
}

/** The page that was asked for before the link was mailed, once; undefined where this browser knows of none. */
export function takeWayBack(): string | undefined {
  const kept = localStorage.getItem(storageKey) ?? '';
  localStorage.removeItem(storageKey);
  const at = kept.indexOf(' ');
  return Number(kept.slice(0, at)) > Date.now() ? ownPath(kept.slice(at + 1)) : undefined;
}
