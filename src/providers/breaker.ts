export interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** How long it stays open before one call may probe. */
  readonly coolDownMs: number;
}

/** `neutral`: the call ended for a reason that says nothing about the other side. */
export type BreakerOutcome = 'success' | 'failure' | 'neutral';

/** `half_open`: the cool-down is over. The next call, or the one under way, decides. */
export type CircuitState = 'closed' | 'open' | 'half_open';

export interface Breaker {
  state(): CircuitState;
  /** Permission to call: a function that takes the outcome, exactly once. Null while the circuit is open. */
  admit(): ((outcome: BreakerOutcome) => void) | null;
}

/**
 * A circuit breaker: closed, open after `failures` consecutive failures, half-open after the
 * cool-down, when one probe decides. The outcome of a call from an earlier state does not count.
 * @param now milliseconds of a clock that does not run backwards
 */
export function createBreaker(settings: BreakerSettings, now: () => number): Breaker {
  let failures = 0;
  let openedAt: number | null = null;
  let probing = false;
  let era = 0;

  function become(nextOpenedAt: number | null): void {
    openedAt = nextOpenedAt;
    failures = 0;
    probing = false;
    era += 1;
  }

  function record(admittedIn: number, outcome: BreakerOutcome): void {
    if (admittedIn !== era) return;
    if (openedAt !== null) {
      if (outcome === 'neutral') probing = false;
      else become(outcome === 'success' ? null : now());
    } else if (outcome === 'success') failures = 0;
    else if (outcome === 'failure') {
      failures += 1;
      if (failures >= settings.failures) become(now());
    }
  }

  return {
    state() {
      if (openedAt === null) return 'closed';
      return probing || now() - openedAt >= settings.coolDownMs ? 'half_open' : 'open';
    },
    admit() {
      if (openedAt !== null) {
        if (probing || now() - openedAt < settings.coolDownMs) return null;
        probing = true;
      }
      const admittedIn = era;
      return (outcome) => record(admittedIn, outcome);
    },
  };
}
