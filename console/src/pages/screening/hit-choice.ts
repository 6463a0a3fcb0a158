import { texts } from '../../texts/texts.ts';

type HitStatus = keyof typeof texts.screening.statuses;

/** What can become of a hit. An object's keys are its type's. */
export const hitStatuses = Object.keys(texts.screening.statuses) as HitStatus[];

/** Which hits the page lists; every one without a choice. */
export interface HitChoice {
  readonly status?: HitStatus;
}
