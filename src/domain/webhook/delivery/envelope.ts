/** An event as it is recorded. */
export interface RecordedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: bigint;
  readonly occurredAt: Date;
  readonly data: unknown;
}

/**
 * The body of a delivery, as the bytes that are signed and sent. `createdAt` is the attempt's; all else
 * is the event's and the same on every attempt.
 */
export function envelopeBytes(event: RecordedEvent, apiVersion: string, createdAt: Date): Buffer {
  const envelope = {
    id: event.eventId,
    type: event.type,
    api_version: apiVersion,
    occurred_at: event.occurredAt.toISOString(),
    created_at: createdAt.toISOString(),
    // No installation records 2^53 events, from which on a number would lose digits.
    sequence: Number(event.sequence),
    data: event.data,
  };
  return Buffer.from(JSON.stringify(envelope));
}
