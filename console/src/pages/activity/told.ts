import type { ActivityQuery } from '../../../../generated/console-types/graphql.ts';
import { textFor, texts } from '../../texts/texts.ts';
import { authorName, personName } from '../../values/author.ts';
import { amountText } from '../../values/money.ts';

const words = texts.activity;

export type Activity = ActivityQuery['activity']['edges'][number]['node'];

/** What happened, in words. */
export function whatOf({ kind, detail, change }: Activity): string {
  if (kind === 'access' && change !== null) return texts.members.kinds[change.kind];
  if (kind === 'decision') return textFor(words.decisions, detail ?? '') ?? words.kinds.decision;
  return words.told[kind];
}

/** What it is about, by name. */
export function subjectOf({ payout, change, detail, kind }: Activity): string {
  if (payout !== null) {
    const { beneficiaryName, amountMinor, currency, id } = payout;
    return `${beneficiaryName ?? id}, ${amountText(amountMinor, currency)}`;
  }
  if (change !== null) {
    return change.member === null ? change.subjectId : personName(change.member);
  }
  if (kind === 'export') return textFor(words.exports, detail ?? '') ?? detail ?? '';
  return detail ?? '';
}

export const whoOf = ({ author }: Activity): string => (author === null ? '' : authorName(author));
