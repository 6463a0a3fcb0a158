import { placeOf, textOf, wordOf, type ListPlace } from '../../app/place.ts';
import { texts } from '../../texts/texts.ts';

type Status = keyof typeof texts.webhooks.states;
const statuses = Object.keys(texts.webhooks.states) as Status[];

/** Which deliveries the list shows, by the fields of `WebhookDeliveryFilter`. */
export interface Chosen {
  readonly status?: Status;
  readonly createdSince?: string;
  readonly createdBefore?: string;
}

/** A time of the address; undefined for what is no time. */
function timeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** A choice without what is not chosen, which then is not in the address. */
export const chosenOf = (given: {
  readonly [Name in keyof Chosen]?: Chosen[Name] | undefined;
}): Chosen => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** Reads an address; what it has beside is left out, so that a mistyped one shows a list all the same. */
export const deliveriesSearch = (search: Record<string, unknown>): ListPlace & Chosen => ({
  ...placeOf(search),
  ...chosenOf({
    status: wordOf(statuses, search['status']),
    createdSince: timeOf(search['createdSince']),
    createdBefore: timeOf(search['createdBefore']),
  }),
});
