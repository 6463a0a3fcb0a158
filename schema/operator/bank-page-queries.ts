import { checkConnection } from '../../src/domain/bank-file/connection-check.ts';
import { readCandidates } from '../../src/domain/bank-file/candidates.ts';
import { readBankMonth } from '../../src/domain/bank-file/month.ts';
import { inTenant } from '../../src/domain/operator/in-tenant.ts';
import { checkProviderConnection } from '../../src/domain/provider-connection/check.ts';
import { previewRoutes } from '../../src/domain/route/preview.ts';
import { routesArg } from '../bank/input.ts';
import { previewCost, RoutedPayoutsObject } from '../bank/preview.ts';
import {
  ProviderConnectionCheck,
  providerCheckArgs,
  providerCheckCost,
} from '../bank/provider-connections.ts';
import { BankLineCandidate } from '../bank-file/candidates.ts';
import { BankConnectionCheck } from '../bank-file/connection-checks.ts';
import { BankMonthObject, monthArgs, monthCost } from '../bank-file/month.ts';
import { builder } from '../builder.ts';
import { tenantArgs } from './args.ts';

/* What a business reads of its banks, as operators read it of one business. Each throws not_found for the business. */

builder.queryFields((t) => ({
  operatorRoutesPreview: t.field({
    type: [RoutedPayoutsObject],
    description:
      'Operators only. Tells where the latest 100 payouts of a business go by its routes, and where they would go by others. It changes nothing.',
    args: { ...tenantArgs(), ...routesArg() },
    complexity: previewCost,
    resolve: async (_root, { businessId, environment, ...args }, { operatorCall }) =>
      previewRoutes(await inTenant(operatorCall, { businessId, environment }), args),
  }),
  operatorBankConnectionChecks: t.field({
    type: [BankConnectionCheck],
    description:
      'Operators only. Says of each step of a bank connection whether it works, by what the worker saw last, without calling the bank. Throws not_found.',
    args: {
      ...tenantArgs(),
      connectionId: t.arg.id({ required: true, description: 'The bank connection.' }),
    },
    complexity: { field: 20 },
    resolve: async (_root, { connectionId, ...tenant }, { operatorCall }) =>
      checkConnection(await inTenant(operatorCall, tenant), connectionId),
  }),
  operatorProviderConnectionCheck: t.field({
    type: [ProviderConnectionCheck],
    nullable: true,
    description:
      "Operators only. Proves a business's account at a provider, as providerConnectionCheck does. The provider is asked. Throws not_found.",
    args: { ...tenantArgs(), ...providerCheckArgs() },
    complexity: providerCheckCost,
    resolve: async (_root, { connectionId, ...tenant }, { operatorCall }) =>
      checkProviderConnection(await inTenant(operatorCall, tenant), connectionId),
  }),
  operatorBankLineCandidates: t.field({
    type: [BankLineCandidate],
    description:
      'Operators only. What a movement that matches nothing may show: up to five payments or files of its amount, likeliest first. operatorBankLineMatch takes their subjectId.',
    args: {
      ...tenantArgs(),
      lineId: t.arg.id({ required: true, description: 'The movement.' }),
    },
    complexity: { field: 20 },
    resolve: async (_root, { lineId, ...tenant }, { operatorCall }) => {
      const [found = []] = await readCandidates(await inTenant(operatorCall, tenant), [lineId]);
      return found;
    },
  }),
  operatorBankMonth: t.field({
    type: [BankMonthObject],
    description:
      'Operators only. A month at the banks of a business, by connection and currency. Throws validation_failed.',
    args: { ...tenantArgs(), ...monthArgs() },
    complexity: monthCost,
    resolve: async (_root, { businessId, environment, ...args }, { operatorCall }) =>
      readBankMonth(await inTenant(operatorCall, { businessId, environment }), args),
  }),
}));
