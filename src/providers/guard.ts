import { traced } from '../process/tracing.ts';
import { createBreaker } from './breaker.ts';
import type { BreakerOutcome, BreakerSettings, CircuitState } from './breaker.ts';
import { ProviderError, ProviderEventRefused } from './port.ts';
import type {
  PaidAccount,
  ProviderEvent,
  ProviderFailure,
  ProviderPayment,
  ProviderPayout,
  ProviderPort,
  Verdict,
} from './port.ts';
import { redactShapes, redactionFor } from './redact.ts';
import type { Redact } from './redact.ts';

export type ProviderOperation = 'enroll' | 'submit' | 'lookUp' | 'checkName';

/** One call as a metric: nothing in it comes from the request. */
export interface ProviderCall {
  readonly provider: string;
  readonly operation: ProviderOperation;
  readonly outcome: 'ok' | Verdict | 'circuit_open';
  readonly durationMs: number;
}

/** What a provider says of a payment in a word that nobody here knows. */
export interface UnclearStatus {
  readonly provider: string;
  readonly reference: string;
  readonly status: string;
}

export interface GuardOptions {
  /** How long one call may take. */
  readonly timeoutMs: number;
  readonly breaker: BreakerSettings;
  readonly onCall?: (call: ProviderCall) => void;
  /** Told of each status that the adapter does not know, since a person has to find out what it means. */
  readonly onUnclear?: (told: UnclearStatus) => void;
  /** Milliseconds of a clock that does not run backwards; by default the process's own. */
  readonly now?: () => number;
}

/** A provider behind its guard. */
export interface GuardedProvider extends ProviderPort {
  /** The state of this process's circuit to the provider. */
  circuit(): CircuitState;
}

interface Guarded<Result> {
  readonly operation: ProviderOperation;
  /** The caller's, if it has one. */
  readonly signal: AbortSignal | undefined;
  readonly redact: Redact;
  readonly run: (signal: AbortSignal) => Promise<Result>;
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string'
    ? `${error.name} ${error.code}`
    : error.name;
}

/**
 * Any exception as a ProviderError without identifiers. Its cause is dropped, because loggers print
 * causes. The text of an exception that is not a ProviderError is dropped too, because it may hold
 * anything.
 */
function normalise(error: unknown, operation: ProviderOperation, redact: Redact): ProviderError {
  if (!(error instanceof ProviderError)) {
    const message = `The call to the provider failed unexpectedly (${redact(errorCode(error))}).`;
    return new ProviderError('unknown', 'other', message);
  }
  // A failed look-up proves nothing about the payment, even if it is certain that the look-up was not
  // sent.
  const verdict = operation === 'lookUp' ? 'unknown' : error.verdict;
  return new ProviderError(verdict, error.code, redact(error.message));
}

function breakerOutcome(error: ProviderError, abortedByCaller: boolean): BreakerOutcome {
  if (abortedByCaller) return 'neutral';
  return error.verdict === 'unknown' || error.verdict === 'retry' ? 'failure' : 'success';
}

/** Runs a call and ends it by the signal, even if the adapter ignores the signal. */
async function endBySignal<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    // Promise.race also handles the loser, so a late rejection is not unhandled.
    return await Promise.race([run(signal), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function withTimeout<Result>(
  { run, signal }: Guarded<Result>,
  timeoutMs: number,
): Promise<Result> {
  const timer = new AbortController();
  const timeout = setTimeout(
    () => timer.abort(new ProviderError('unknown', 'other', `No answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    return await endBySignal(run, signal ? AbortSignal.any([signal, timer.signal]) : timer.signal);
  } catch (error) {
    // The time-out's error is clearer than what the adapter throws when it is cut off.
    throw timer.signal.aborted ? timer.signal.reason : error;
  } finally {
    clearTimeout(timeout);
  }
}

const withoutIdentifiers = (failure: ProviderFailure | null): ProviderFailure | null =>
  failure && { code: failure.code, message: redactShapes(failure.message) };

type GuardedCall = <Result>(call: Guarded<Result>) => Promise<Result>;

/** What a provider can be asked that not every one can. */
function questionsOf(
  port: ProviderPort,
  guarded: GuardedCall,
): Pick<ProviderPort, 'checkName' | 'prove'> {
  const { checkName, prove } = port;
  return {
    ...(checkName !== undefined && {
      checkName: (request: PaidAccount, signal?: AbortSignal) =>
        guarded({
          operation: 'checkName',
          signal,
          redact: redactionFor(request),
          run: (inner) => checkName.call(port, request, inner),
        }),
    }),
    ...(prove !== undefined && {
      prove: (signal?: AbortSignal) =>
        guarded({
          operation: 'lookUp',
          signal,
          redact: redactShapes,
          run: (inner) => prove.call(port, inner),
        }),
    }),
  };
}

/**
 * Wraps a provider with what every provider needs: a time-out for each call, a circuit breaker, metrics,
 * one kind of error, and texts without bank identifiers, tax numbers or birth dates.
 *
 * While the circuit is open `enroll` and `submit` throw ProviderError `retry` without calling, and
 * `lookUp` throws `unknown`, as it does for every failure.
 */
export function guardProvider(port: ProviderPort, options: GuardOptions): GuardedProvider {
  const now = options.now ?? (() => performance.now());
  const breaker = createBreaker(options.breaker, now);

  function report(
    operation: ProviderOperation,
    outcome: ProviderCall['outcome'],
    startedAt: number,
  ): void {
    try {
      options.onCall?.({ provider: port.name, operation, outcome, durationMs: now() - startedAt });
    } catch {
      // A metric that fails must not turn a payment that was made into an error.
    }
  }

  function tell({ reference, unclear }: ProviderPayment): void {
    if (unclear === undefined) return;
    options.onUnclear?.({ provider: port.name, reference, status: unclear });
  }

  function cleanPayout(payout: ProviderPayout): ProviderPayout {
    tell(payout);
    return { ...payout, failure: withoutIdentifiers(payout.failure) };
  }

  const guarded = <Result>(call: Guarded<Result>): Promise<Result> =>
    traced(
      {
        name: `provider ${call.operation}`,
        kind: 'client',
        attributes: { 'payouts.provider': port.name },
      },
      () => callOnce(call),
    );

  async function callOnce<Result>(call: Guarded<Result>): Promise<Result> {
    const { operation } = call;
    const startedAt = now();
    const ended = breaker.admit();
    if (ended === null) {
      report(operation, 'circuit_open', startedAt);
      const open = new ProviderError(
        'retry',
        'other',
        'The provider was not called: its last calls failed.',
      );
      throw normalise(open, operation, call.redact);
    }
    try {
      const result = await withTimeout(call, options.timeoutMs);
      ended('success');
      report(operation, 'ok', startedAt);
      return result;
    } catch (error) {
      const normal = normalise(error, operation, call.redact);
      ended(breakerOutcome(normal, call.signal?.aborted === true));
      report(operation, normal.verdict, startedAt);
      throw normal;
    }
  }

  return {
    name: port.name,
    capabilities: port.capabilities,
    circuit: () => breaker.state(),
    enroll: (request, signal) =>
      guarded({
        operation: 'enroll',
        signal,
        redact: redactionFor(request),
        run: (inner) => port.enroll(request, inner),
      }),
    submit: (request, signal) =>
      guarded({
        operation: 'submit',
        signal,
        redact: request.account === undefined ? redactShapes : redactionFor(request.account),
        run: async (inner) => cleanPayout(await port.submit(request, inner)),
      }),
    lookUp: (request, signal) =>
      guarded({
        operation: 'lookUp',
        signal,
        redact: redactShapes,
        run: async (inner) => (await port.lookUp(request, inner)).map(cleanPayout),
      }),
    ...questionsOf(port, guarded),
    checkHead: (header, seconds) => port.checkHead(header, seconds),
    async parseEvents(rawBody, header, seconds) {
      const signal = AbortSignal.timeout(options.timeoutMs);
      const events = await parsed(() => port.parseEvents(rawBody, header, seconds, signal));
      for (const event of events) if (event.kind !== 'recipient') tell(event);
      return events.map(withoutNumbers);
    },
  };
}

/** Events as an adapter reads them; whatever fails otherwise is a refusal. */
async function parsed(
  read: () => Promise<readonly ProviderEvent[]>,
): Promise<readonly ProviderEvent[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderEventRefused) throw error;
    throw new ProviderEventRefused(400, 'The events cannot be read.');
  }
}

/** An event without what identifies a payee's account. */
const withoutNumbers = (event: ProviderEvent): ProviderEvent =>
  event.kind === 'recipient'
    ? { ...event, reason: event.reason && redactShapes(event.reason) }
    : { ...event, failure: withoutIdentifiers(event.failure) };
