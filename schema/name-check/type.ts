import type { NameCheck } from '../../generated/prisma/client.ts';
import type { NameCheckEffect, NameCheckPolicy } from '../../src/domain/name-check/policy-store.ts';
import type { NameCheckState, ShownNameCheck } from '../../src/domain/name-check/shown.ts';
import { openNameOnFile } from '../../src/domain/name-check/store.ts';
import { bool, int, of } from '../../src/values/columns.ts';
import { Author, authorOf } from '../access/author.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';

const means = {
  pending: 'It is being asked.',
  match: 'It has the holder by that name.',
  close_match: 'Its name is nearly the same; nameOnFile has it, where it was told.',
  no_match: 'It has the holder by another name, or has no such account.',
  not_possible: 'It could not be asked, or did not answer.',
} as const satisfies Record<NameCheckState, string>;

const ResultEnum = describedEnum<NameCheckState>(
  'NameCheckResult',
  'What the bank of an account says of its holder.',
  means,
);

type NameCheckAnswer = Exclude<NameCheckState, 'pending'>;

const { pending: _pending, ...answers } = means;

export const NameCheckAnswerEnum = describedEnum<NameCheckAnswer>(
  'NameCheckAnswer',
  'What the bank of an account has answered of its holder.',
  answers,
);

export const EffectEnum = describedEnum<NameCheckEffect>(
  'NameCheckEffect',
  'What a business decides about a result that is no match.',
  {
    ignore: 'Nothing is made of it.',
    show: 'Who approves sees it.',
    confirm: 'Nothing is approved until a person confirms the account with a reason.',
    block: 'Nothing is approved.',
  },
);

const answered = <T>(pick: (answer: NameCheck) => T) => {
  return ({ answer }: ShownNameCheck): T | null => (answer === null ? null : pick(answer));
};

builder.objectRef<ShownNameCheck>('BankAccountNameCheck').implement({
  description:
    'Whether the bank of an account has its holder by the name that was given. It belongs to one version of the details.',
  fields: (t) =>
    shown(t, {
      id: t.id({
        nullable: true,
        description: 'Id of the answer; null while the bank is asked.',
        resolve: answered(({ id }) => id),
      }),
      result: t.field({
        type: ResultEnum,
        description: 'What it says.',
        resolve: ({ state }) => state,
      }),
      effect: of.orNull(
        EffectEnum,
        'What the business decided about such a result; null for a match, and while the bank is asked.',
      ),
      nameOnFile: t.string({
        nullable: true,
        description: 'The name that the bank has, where it tells it with a close match.',
        resolve: ({ answer }, _args, { call }) =>
          answer === null ? null : openNameOnFile(call, answer),
      }),
      source: t.string({
        nullable: true,
        description: 'The provider or the bank connection that answered.',
        resolve: answered(({ source }) => source),
      }),
      code: t.string({
        nullable: true,
        description: "The source's own code.",
        resolve: answered(({ code }) => code),
      }),
      checkedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When it answered.',
        resolve: answered(({ checkedAt }) => checkedAt),
      }),
      confirmedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When a person confirmed the account all the same.',
        resolve: answered(({ confirmedAt }) => confirmedAt),
      }),
      confirmedReason: t.string({
        nullable: true,
        description: 'Why.',
        resolve: answered(({ confirmedReason }) => confirmedReason),
      }),
      confirmedBy: t.field({
        type: Author,
        nullable: true,
        description: 'Who, with the names of today.',
        resolve: answered(({ confirmedBy }) => authorOf(confirmedBy)),
      }),
    }),
});

export const NameCheckSettings = builder.objectRef<NameCheckPolicy>('NameCheckSettings').implement({
  description: "What the business decided about the check of holders' names.",
  fields: (t) =>
    shown(t, {
      revision: int('Counts the changes, from 0. A change names the revision that it has seen.'),
      asks: bool('Whether the bank of a new account, and of new details, is asked.'),
      closeMatch: of(EffectEnum, 'What a name that is nearly the same does.'),
      noMatch: of(EffectEnum, 'What another name does.'),
      notPossible: of(EffectEnum, 'What it does that the bank could not be asked.'),
    }),
});
