import {
  eraseBeneficiary,
  type Erasure,
  type ErasureGround,
  type ErasureKind,
} from '../../src/domain/personal/erase.ts';
import {
  exportPersonalData,
  readPersonalDataRecords,
  type PersonalData,
  type PersonalDataRecord,
} from '../../src/domain/personal/export.ts';
import { id, json, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';

export const ErasureGroundEnum = describedEnum<ErasureGround>(
  'ErasureGround',
  'Why a payee is erased. The record keeps it, and no words.',
  {
    payee_request: 'The payee asked for it.',
    no_longer_needed: 'The data is no longer needed for its purpose.',
    entered_in_error: 'The payee should never have been registered.',
    legal_obligation: 'The law, a court or an authority demands it.',
  },
);

const ErasureKindEnum = describedEnum<ErasureKind>('ErasureKind', 'How much of a payee is left.', {
  deleted: 'No payout was ever created for the payee, and nothing is left.',
  erased: 'What bookkeeping needs is left: amounts, dates, the legal name, the masked account.',
});

export const BeneficiaryErasure = builder.objectRef<Erasure>('BeneficiaryErasure').implement({
  description: 'The record of an erasure (docs/personal-data.md).',
  fields: (t) =>
    shown(t, {
      beneficiaryId: id('Id of the payee.'),
      kind: of(ErasureKindEnum, 'How much is left.'),
      ground: of(ErasureGroundEnum, 'Why.'),
      actor: json('A member or an operator, by ids.'),
      erasedAt: t.expose('occurredAt', { type: 'DateTime', description: 'When.' }),
    }),
});

const PersonalDataExport = builder.objectRef<PersonalData>('PersonalDataExport').implement({
  description: 'What the business holds about one payee, one page of payouts at a time.',
  fields: (t) =>
    shown(t, {
      beneficiaryId: id('Id of the payee.'),
      data: json(
        'Lists of what is held, by kind: beneficiary, bank_accounts, payouts and so on. Identifiers are in clear.',
      ),
      nextPayoutsAfter: text.orNull(
        'Send it as payoutsAfter for the next page; null after the last one.',
      ),
    }),
});

const RecordKindEnum = describedEnum(
  'PersonalDataRecordKind',
  "What was done with a payee's data.",
  {
    deleted: 'It was deleted; no payout was ever created for the payee.',
    erased: 'It was erased but for what bookkeeping needs.',
    exported: 'Somebody took all of it, in clear.',
  },
);

const PersonalDataRecordType = builder
  .objectRef<PersonalDataRecord>('PersonalDataRecord')
  .implement({
    description: "Who took or erased a payee's data.",
    fields: (t) =>
      shown(t, {
        id: id('Id of the record.'),
        kind: of(RecordKindEnum, 'What was done.'),
        ground: of.orNull(ErasureGroundEnum, 'Why it was erased; null for an export.'),
        actor: json('A member or an operator, by ids.'),
        occurredAt: time('When.'),
      }),
  });

builder.queryFields((t) => ({
  personalDataRecords: t.field({
    nullable: true,
    type: [PersonalDataRecordType],
    description:
      "The latest 100 exports of a payee's data and its erasure, newest first, also of a payee who was deleted.",
    args: { beneficiaryId: t.arg.id({ required: true, description: 'The payee.' }) },
    resolve: (_root, { beneficiaryId }, context) =>
      readPersonalDataRecords(context.call, beneficiaryId),
  }),
}));

builder.mutationFields((t) => ({
  beneficiaryErase: t.field({
    nullable: true,
    type: BeneficiaryErasure,
    description:
      'Owners only. Erases the personal data of a payee for good; one for whom no payout was ever created is deleted. Repeating it gives the record of the first time.',
    args: {
      id: t.arg.id({ required: true, description: 'The beneficiary.' }),
      ground: t.arg({ type: ErasureGroundEnum, required: true, description: 'Why.' }),
    },
    resolve: (_root, { id, ground }, context) => eraseBeneficiary(context.call, id, { ground }),
  }),
  beneficiaryPersonalDataExport: t.field({
    nullable: true,
    type: PersonalDataExport,
    description:
      'Owners and admins only. Everything that the business holds about one payee, in clear, for whom the payee asks for it. Who took it is recorded.',
    args: {
      id: t.arg.id({ required: true, description: 'The beneficiary.' }),
      payoutsAfter: t.arg.string({
        description: 'nextPayoutsAfter of the page before; absent for the first.',
      }),
    },
    resolve: (_root, { id, payoutsAfter }, context) =>
      exportPersonalData(context.call, id, payoutsAfter ?? null),
  }),
}));
