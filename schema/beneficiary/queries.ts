import { requirePermission } from '../../src/access/scope.ts';
import { emailKey, text } from '../../src/values/fields.ts';
import { parseInput } from '../../src/values/validate.ts';
import { z } from 'zod';
import { countBeneficiaries, listBeneficiaries } from '../../src/domain/beneficiary/list.ts';
import { emailHash } from '../../src/domain/encryption/lookup.ts';
import { newestFirst } from '../../src/domain/page-range.ts';
import type { Call } from '../../src/process/services.ts';
import { isId } from '../../src/values/ids.ts';
import { builder } from '../builder.ts';
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
    complianceStatus: t.field({
      type: ComplianceStatusEnum,
      description: 'With this compliance status.',
    }),
    beneficiaryType: t.field({ type: BeneficiaryTypeEnum, description: 'Of this type.' }),
    enrollmentStatus: t.field({
      type: EnrollmentStatusEnum,
      description: 'With this enrollment status.',
    }),
  }),
});

/** What a filter holds goes to the database as it is, so it must be text that the database takes. */
const filterInput = z.looseObject({ email: text(254).nullish() });

function where(filter: typeof BeneficiaryFilter.$inferInput) {
  const { complianceStatus, beneficiaryType, enrollmentStatus } = filter;
  const { email } = parseInput(filterInput, filter);
  return {
    archivedAt: null,
    ...(email ? { emailKey: emailKey(email) } : {}),
    ...(complianceStatus ? { complianceStatus } : {}),
    ...(beneficiaryType ? { beneficiaryType } : {}),
    ...(enrollmentStatus ? { enrollmentStatus } : {}),
  };
}

/** A filter by address as the database can answer it: by the hash, or in clear of a row that is not carried over. */
async function addressed(
  call: Call,
  { emailKey: address = '', ...rest }: ReturnType<typeof where>,
) {
  const hash = await emailHash(call);
  return { ...rest, OR: [{ emailHash: new Uint8Array(hash(address)) }, { emailKey: address }] };
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
    description: 'Beneficiaries that are not archived, newest first.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: BeneficiaryFilter, description: 'Which beneficiaries.' }),
    },
    // `edges` counts tenfold by itself, as every list; 100 whole beneficiaries stay below the limit.
    complexity: countedPageCost,
    resolve: async (_root, args, context) => {
      const filter = where(args.filter ?? {});
      const { emailKey: address, complianceStatus, beneficiaryType, enrollmentStatus } = filter;
      const choice = {
        complianceStatus: complianceStatus ?? null,
        beneficiaryType: beneficiaryType ?? null,
        enrollmentStatus: enrollmentStatus ?? null,
      };
      const { call, prisma } = context;
      const list = { list: 'beneficiaries', filter: { ...filter }, args };
      return resolvePage(
        context,
        address === undefined
          ? {
              ...list,
              fetch: (range) => listBeneficiaries(call, choice, range),
              count: (most) => countBeneficiaries(call, choice, most),
            }
          : {
              ...list,
              // One beneficiary at most has an address.
              fetch: async (range) =>
                prisma.beneficiary.findMany(newestFirst(await addressed(call, filter), range)),
              count: async (most) =>
                prisma.beneficiary.count({ where: await addressed(call, filter), take: most }),
            },
      );
    },
  }),
}));
