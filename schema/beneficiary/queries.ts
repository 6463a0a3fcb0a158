import { requirePermission } from '../../src/access/scope.ts';
import { dateTime, emailKey, externalRef, text } from '../../src/values/fields.ts';
import { parseInput } from '../../src/values/validate.ts';
import { z } from 'zod';
import {
  countChangedBeneficiaries,
  readChangedBeneficiaries,
} from '../../src/domain/beneficiary/changes.ts';
import { countBeneficiaries, listBeneficiaries } from '../../src/domain/beneficiary/list.ts';
import { changePosition } from '../../src/domain/changes-range.ts';
import { emailHash } from '../../src/domain/encryption/lookup.ts';
import { newestFirst, type PageRange } from '../../src/domain/page-range.ts';
import type { Call } from '../../src/process/services.ts';
import { isId } from '../../src/values/ids.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { countedConnectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { countedPageCost, pageArgs } from '../lists/page-args.ts';
import { BeneficiaryTypeEnum, ComplianceStatusEnum, EnrollmentStatusEnum } from './enums.ts';
import { Beneficiary } from './type.ts';

const BeneficiaryConnection = countedConnectionOf(
  Beneficiary,
  'BeneficiaryConnection',
  'A page of beneficiaries, newest first.',
);

const BeneficiaryFilter = builder.inputType('BeneficiaryFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    email: t.string({ description: 'With this address, ignoring case.' }),
    externalRef: t.string({ description: 'With this reference of yours.' }),
    complianceStatus: t.field({
      type: ComplianceStatusEnum,
      description: 'With this compliance status.',
    }),
    beneficiaryType: t.field({ type: BeneficiaryTypeEnum, description: 'Of this type.' }),
    enrollmentStatus: t.field({
      type: EnrollmentStatusEnum,
      description: 'With this enrollment status.',
    }),
    updatedSince: t.string({
      description:
        'Changed at this time or later. The list then runs from the oldest change to the newest, and leaves out for a moment what an open transaction may still precede. Not together with email or externalRef.',
    }),
    includeArchived: t.boolean({
      description: 'Archived ones as well. Only together with updatedSince.',
    }),
  }),
});

/** What a filter holds goes to the database as it is, so it must be text that the database takes. */
const filterInput = z
  .looseObject({
    email: text(254).nullish(),
    externalRef: externalRef.nullish(),
    updatedSince: dateTime.nullish(),
  })
  .superRefine(({ email, externalRef: reference, updatedSince, includeArchived }, ctx) => {
    const refuse = (field: string, message: string) =>
      ctx.addIssue({
        code: 'custom',
        path: [field],
        params: { code: 'unsupported_combination' },
        message,
      });
    if (updatedSince && (email || reference)) {
      const message = 'It finds one payee, so it has no list of changes: leave out updatedSince.';
      refuse(email ? 'email' : 'externalRef', message);
    }
    if (includeArchived === true && !updatedSince) {
      refuse('includeArchived', 'Only changes are listed with archived payees: send updatedSince.');
    }
  });

type Filter = typeof BeneficiaryFilter.$inferInput;

/** The groups that a filter names; null for any. */
const choiceOf = ({ complianceStatus, beneficiaryType, enrollmentStatus }: Filter) => ({
  complianceStatus: complianceStatus ?? null,
  beneficiaryType: beneficiaryType ?? null,
  enrollmentStatus: enrollmentStatus ?? null,
});

/**
 * A filter by address or reference as the database can answer it: an address by the hash, or in clear of a row that is
 * not carried over.
 */
async function oneWhere(call: Call, filter: Filter) {
  const { email, externalRef: reference } = filter;
  const { complianceStatus, beneficiaryType, enrollmentStatus } = choiceOf(filter);
  const address = email ? emailKey(email) : null;
  return {
    archivedAt: null,
    ...(complianceStatus && { complianceStatus }),
    ...(beneficiaryType && { beneficiaryType }),
    ...(enrollmentStatus && { enrollmentStatus }),
    ...(reference && { externalRef: reference }),
    ...(address !== null && {
      OR: [{ emailHash: new Uint8Array((await emailHash(call))(address)) }, { emailKey: address }],
    }),
  };
}

/** How a list is read: by what names one payee, by changes, or by groups. */
function sourceOf({ call, prisma }: Context, filter: Filter) {
  const choice = choiceOf(filter);
  if (filter.email || filter.externalRef) {
    return {
      fetch: async (range: PageRange) =>
        prisma.beneficiary.findMany(newestFirst(await oneWhere(call, filter), range)),
      count: async (most: number) =>
        prisma.beneficiary.count({ where: await oneWhere(call, filter), take: most }),
    };
  }
  if (filter.updatedSince) {
    const changes = {
      ...choice,
      since: filter.updatedSince,
      archived: filter.includeArchived ?? false,
    };
    return {
      position: changePosition,
      fetch: (range: PageRange) => readChangedBeneficiaries(call, changes, range),
      count: (most: number) => countChangedBeneficiaries(call, changes, most),
    };
  }
  return {
    fetch: (range: PageRange) => listBeneficiaries(call, choice, range),
    count: (most: number) => countBeneficiaries(call, choice, most),
  };
}

builder.queryFields((t) => ({
  beneficiary: t.prismaField({
    type: Beneficiary,
    nullable: true,
    description: 'A beneficiary by its id, also when archived; null when unknown.',
    args: { id: t.arg.id({ required: true, description: 'Id of the beneficiary.' }) },
    resolve: (query, _root, { id }, context) => {
      requirePermission(context.call.scope, 'read');
      // Asked of PostgreSQL, an id with a NUL in it would be an error of its own.
      if (!isId('beneficiary', id)) return null;
      return context.prisma.beneficiary.findUnique({
        ...query,
        where: { tenantId_id: { tenantId: context.call.scope.tenantId, id } },
      });
    },
  }),
  beneficiaries: t.field({
    type: BeneficiaryConnection,
    description:
      'Beneficiaries that are not archived, newest first; with updatedSince a feed of changes, oldest first.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: BeneficiaryFilter, description: 'Which beneficiaries.' }),
    },
    // `edges` counts tenfold by itself, as every list; 100 whole beneficiaries stay below the limit.
    complexity: countedPageCost,
    resolve: (_root, args, context) => {
      const filter = parseInput(filterInput, args.filter ?? {}) as Filter; // its other fields are enums
      const { email } = filter;
      return resolvePage(context, {
        list: 'beneficiaries',
        // A cursor belongs to an address however it is spelled.
        filter: { ...filter, ...(email && { email: emailKey(email) }) },
        args,
        ...sourceOf(context, filter),
      });
    },
  }),
}));
