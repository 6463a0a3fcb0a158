/*
 * Traces, as an opt-in: src/telemetry.ts installs an implementation before the program starts. Without it
 * nothing of OpenTelemetry is loaded, and each function here is a comparison with null.
 */

export interface SpanFacts {
  readonly name?: string;
  /** Names of tasks, routes and operations, and statuses. Ids and anything of a payee stay out. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly failed?: boolean;
}

export interface SpanStart extends SpanFacts {
  readonly name: string;
  /** server: a request is answered; consumer: a job runs; client: another system is called. */
  readonly kind: 'server' | 'consumer' | 'client';
  /** The W3C traceparent of the cause, from a header or a job; absent within a span of this process. */
  readonly parent?: string | undefined;
}

export interface Tracing {
  /** Runs the work in a span; an exception marks it as failed. `note` adds what is known later. */
  run<T>(span: SpanStart, work: (note: (facts: SpanFacts) => void) => Promise<T>): Promise<T>;
  /** The W3C traceparent of the current span, or null outside of any. */
  traceparent(): string | null;
  /** Sends what is not sent yet. */
  flush(): Promise<void>;
}

let installed: Tracing | null = null;

/** Called once, before the program starts; null takes it away again. */
export function installTracing(tracing: Tracing | null): void {
  installed = tracing;
}

export const isTracing = (): boolean => installed !== null;

const nothing = (): void => {};

/** Runs the work in a span if traces are on; throws what it throws. */
export function traced<T>(
  span: SpanStart,
  work: (note: (facts: SpanFacts) => void) => Promise<T>,
): Promise<T> {
  return installed === null ? work(nothing) : installed.run(span, work);
}

/** The header by which another system continues the trace (W3C Trace Context); empty without one. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const traceparent = installed?.traceparent() ?? null;
  return traceparent === null ? {} : { traceparent };
}

/** A job's payload with the trace that caused the job. Tasks do not see it; operators may. */
export function withTrace<P extends object>(payload: P): P {
  const traceparent = installed?.traceparent() ?? null;
  return traceparent === null ? payload : { ...payload, _trace: traceparent };
}

/** The trace that caused the job, if its payload has one. */
export function traceOf(payload: unknown): string | undefined {
  if (installed === null || typeof payload !== 'object' || payload === null) return undefined;
  return '_trace' in payload && typeof payload._trace === 'string' ? payload._trace : undefined;
}

export async function flushTraces(): Promise<void> {
  await installed?.flush();
}
