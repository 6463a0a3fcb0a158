import { shownFields, type validatorStrategies } from '../../src/domain/payout/fields.ts';
import { time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import { describedEnum } from '../common/described-enum.ts';

describedEnum<(typeof validatorStrategies)[number]>(
  'ValidatorStrategy',
  'Who decides on a payout.',
  {
    manual: 'A member decides.',
    auto: 'Approved at creation, with a decision of the system.',
    agent: 'A validator outside the service decides through the API.',
  },
);

/** What is made of the row with more than the row stands in standing.ts. */
const { shortfallMinor: _shortfall, ...columns } = shownFields;

export const Payout = builder.prismaNode('Payout', {
  description:
    'A payment to a bank account of a beneficiary, from its creation to its settlement or return.',
  id: { resolve: (payout) => payout.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      ...columns,
      environment: t.field({
        type: EnvironmentEnum,
        description: shownFields.environment.description,
        resolve: (_payout, _args, context) => context.call.scope.environment,
      }),
      metadata: t.expose('metadata', {
        type: 'JSON',
        nullable: true,
        description: shownFields.metadata.description,
        // Ten kilobytes and more, as often as an operation names it under another alias.
        complexity: 40,
      }),
      via: t.string({
        nullable: true,
        description: shownFields.via.description,
        resolve: () => null,
      }),
      estimatedArrivalAt: time.orNull("The provider's latest estimate of the arrival."),
    }),
});
