/** What is due is asked for so often, and other deliveries like every list, in milliseconds. */
const dueMs = 2_000;
const usualMs = 15_000;

/** How long after its time a delivery is looked for so closely: what waits for longer is not on its way. */
const closelyMs = 30_000;

interface Followed {
  readonly status: string;
  readonly nextAttemptAt: string | null;
}

/** How often deliveries are asked for, so that what is sent again is seen to arrive. */
export function followMs(deliveries: readonly Followed[]): number {
  const isDue = ({ status, nextAttemptAt }: Followed) =>
    status === 'pending' &&
    nextAttemptAt !== null &&
    Math.abs(Date.parse(nextAttemptAt) - Date.now()) < closelyMs;
  return deliveries.some(isDue) ? dueMs : usualMs;
}
