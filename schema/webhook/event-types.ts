import { deliveredTypes, eventTypes } from '../../src/domain/event/types.ts';

/*
 * The name of an event type has a dot, which no value of a GraphQL enum may have, and it is spelled the same
 * everywhere. So it is a text, whose values the description lists.
 */

const known = (types: readonly string[]) => `Known: ${types.join(', ')}. More may be added.`;

/** What can be subscribed to. */
export const knownEventTypes = known(eventTypes);

/** What can be delivered: the same, and the event of a test. */
export const deliveredEventTypes = known(deliveredTypes);
