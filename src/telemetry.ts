import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { installTracing, type SpanFacts, type Tracing } from './process/tracing.ts';

/**
 * Traces by OpenTelemetry, for `node --import ./generated/bundle/telemetry.mjs` before the API and the worker. It takes the
 * standard settings: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME,
 * OTEL_RESOURCE_ATTRIBUTES. The service makes its own spans, so no module is patched.
 */
const provider = new TracerProvider({
  resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const tracer = provider.getTracer('payouts');

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

/** W3C Trace Context: version, trace, span and flags; ids of zeros alone are invalid. */
const pattern = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** The context in which a span begins: below its cause, or below the current span. */
function contextOf(parent: string | undefined): Context {
  const [, traceId, spanId, flags] = pattern.exec(parent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return context.active();
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, remote);
}

function note(span: Span, { name, attributes, failed }: SpanFacts): void {
  if (name !== undefined) span.updateName(name);
  if (attributes !== undefined) span.setAttributes(attributes);
  if (failed === true) span.setStatus({ code: SpanStatusCode.ERROR });
}

const tracing: Tracing = {
  async run({ name, kind, attributes = {}, parent }, work) {
    const from = contextOf(parent);
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, from);
    try {
      return await context.with(trace.setSpan(from, span), () =>
        work((facts) => note(span, facts)),
      );
    } catch (error) {
      // The message may quote what a payee gave, so only the kind of error is told.
      const type = error instanceof Error ? error.name : 'unknown';
      note(span, { attributes: { 'error.type': type }, failed: true });
      throw error;
    } finally {
      span.end();
    }
  },
  traceparent() {
    const current = trace.getActiveSpan()?.spanContext();
    if (current === undefined || !trace.isSpanContextValid(current)) return null;
    const flags = current.traceFlags.toString(16).padStart(2, '0');
    return `00-${current.traceId}-${current.spanId}-${flags}`;
  },
  // A collector that is away must not keep the process from ending.
  flush: () => provider.forceFlush().catch(() => {}),
};
installTracing(tracing);
