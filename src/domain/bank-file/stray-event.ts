import { parseReference } from '../../providers/reference.ts';
import type { GivenUpEvent } from '../provider-event/given-up.ts';
import { keyOf, type StrayAnswer } from './stray.ts';

/**
 * Events of a bank that the worker has given up, as answers for the desk: what each says, and the submission that it
 * names. An event may come from an earlier file, or from none, so it has no line.
 */
export function strayEvents(events: readonly GivenUpEvent[]): StrayAnswer[] {
  return events.map(({ eventId, type, reference }) => {
    const subject = reference === null ? undefined : parseReference(reference)?.subjectId;
    return {
      kind: 'event',
      naturalKey: keyOf('event', eventId),
      said: [type, subject].filter((word) => typeof word === 'string').join(' '),
      line: 0,
      originalMessageId: null,
      originalBatchId: null,
      endToEndId: null,
      instructionId: null,
      traceNumber: null,
      amountMinor: null,
      currency: null,
    };
  });
}
