import { requirePermission } from '../../src/access/scope.ts';
import {
  checkConnection,
  checkOutcomes,
  checkSteps,
  type CheckOutcome,
  type CheckStep,
  type ConnectionCheck,
} from '../../src/domain/bank-file/connection-check.ts';
import { of, texts, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { shown } from '../common/fields.ts';

const BankCheckStepEnum = describedEnum<CheckStep>(
  'BankCheckStep',
  'What is looked at of a bank connection.',
  checkSteps,
);

const BankCheckOutcomeEnum = describedEnum<CheckOutcome>(
  'BankCheckOutcome',
  'What a look at one step of a bank connection came to.',
  checkOutcomes,
);

export const BankConnectionCheck = builder
  .objectRef<ConnectionCheck>('BankConnectionCheck')
  .implement({
    description: 'One step of a bank connection, and whether it works.',
    fields: (t) =>
      shown(t, {
        step: of(BankCheckStepEnum, 'The step.'),
        outcome: of(BankCheckOutcomeEnum, 'What the look came to.'),
        problems: texts('What is wrong, one sentence for each thing.'),
        at: time.orNull(
          'When it was seen, or since when it fails; null where it is tried just now.',
        ),
      }),
  });

builder.queryField('bankConnectionChecks', (t) =>
  t.field({
    type: [BankConnectionCheck],
    description:
      'Says of each step of a bank connection whether it works, in the order in which a payment needs it: by what the worker saw last, without calling the bank. Throws not_found.',
    args: { connectionId: t.arg.id({ required: true, description: 'The bank connection.' }) },
    complexity: { field: 20 },
    resolve: (_root, { connectionId }, { call }) => {
      requirePermission(call.scope, 'read');
      return checkConnection(call, connectionId);
    },
  }),
);
