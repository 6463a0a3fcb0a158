import type { BankFetch } from '../../generated/prisma/client.ts';
import type { BankConnection as Row } from '../../src/domain/bank-connection/store.ts';
import type { ConnectionChange, ConnectionDraft } from '../../src/domain/bank-connection/input.ts';
import {
  changeConnectionByOperator,
  connectBankByOperator,
} from '../../src/domain/operator/bank-connection.ts';
import {
  readBanking,
  type Banking,
  type OperatedConnection,
} from '../../src/domain/operator/banking.ts';
import { replaceRoutesByOperator } from '../../src/domain/operator/routes.ts';
import { AccountProviderObject, ProviderConnection } from '../bank/provider-connections.ts';
import { PayoutProvider } from '../bank/providers.ts';
import { BankConnection, PayoutRouting } from '../bank/type.ts';
import { routingArgs } from '../bank/input.ts';
import { id, listOf, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { businessArg, reasonArg, tenantArgs } from './args.ts';
import { connectionArgs, connectionChangeArgs } from './bank-input.ts';

/** The parts of the stored settings that an operator compares with what the bank told them. */
const settingOf = (row: Row, name: string): string | null => {
  const value = (row.transportSettings as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
};

const transportFacts = ['host', 'port', 'username', 'hostKey', 'outFolder', 'inFolder', 'folder'];

const OperatorBankFetch = builder.objectRef<BankFetch>('OperatorBankFetch').implement({
  description:
    "What the latest look for a bank's files came to. The worker looks each minute while the connection is active and not manual.",
  fields: (t) =>
    shown(t, {
      fetchedAt: time.orNull(
        'When a look succeeded, written every ten minutes; null where none has.',
      ),
      problem: text.orNull('Why the latest look failed; null where it succeeded.'),
      problemSince: time.orNull(
        'Since when every look has failed; null where the latest succeeded.',
      ),
    }),
});

const OperatorBankConnection = builder
  .objectRef<OperatedConnection>('OperatorBankConnection')
  .implement({
    description: 'A bank connection with what only operators see of it.',
    fields: (t) =>
      shown(t, {
        id: id('Id of the connection.'),
        connection: t.field({
          type: BankConnection,
          description: 'What the business sees, too.',
          resolve: (row) => row,
        }),
        transportFacts: t.field({
          type: ['String'],
          description: 'Host, folders and host key, each as name=value. No password, no key.',
          resolve: (row) =>
            transportFacts.flatMap((name) => {
              const value = settingOf(row, name);
              return value === null ? [] : [`${name}=${value}`];
            }),
        }),
        hasCredentials: t.boolean({
          description: 'Whether a password or a private key is stored.',
          resolve: (row) => row.credentialsCiphertext !== null,
        }),
        fetch: of.orNull(
          OperatorBankFetch,
          "Whether the bank's files can be fetched; null before the first look.",
        ),
        initiatorId: text.orNull('The number under which the bank knows the sender.'),
      }),
  });

const OperatorBanking = builder.objectRef<Banking>('OperatorBanking').implement({
  description: 'The bank connections and the routes of a tenant.',
  fields: (t) =>
    shown(t, {
      connections: listOf(OperatorBankConnection, 'Oldest first, closed ones too.'),
      routing: of(PayoutRouting, 'Who pays what.'),
      payers: listOf(PayoutProvider, 'To whom routes may lead.'),
      accounts: listOf(
        ProviderConnection,
        'Its accounts at providers that are called, oldest first, closed ones too.',
      ),
      providers: listOf(
        AccountProviderObject,
        'At which providers it may have accounts, and what an account is described by.',
      ),
    }),
});

builder.queryField('operatorBanking', (t) =>
  t.field({
    type: OperatorBanking,
    description: 'Operators only. The bank connections and the routes of one tenant.',
    args: { ...tenantArgs() },
    resolve: (_root, { businessId, environment }, context) =>
      readBanking(context.operatorCall, businessId, environment),
  }),
);

builder.mutationFields((t) => ({
  operatorBankConnect: t.field({
    nullable: true,
    type: OperatorBankConnection,
    description:
      "Operators only. Connects a business's production to its account at a bank. What the bank's files would lack is told at once. Null where it waits for a second operator: operatorProposedChanges.",
    args: { ...businessArg(), ...connectionArgs(), ...reasonArg() },
    // The command checks the shape, of which GraphQL knows less.
    resolve: (_root, args, context) =>
      connectBankByOperator(context.operatorCall, args as unknown as ConnectionDraft),
  }),
  operatorBankConnectionChange: t.field({
    nullable: true,
    type: OperatorBankConnection,
    description:
      'Operators only. Changes a production connection whose version is the one that was seen; what is absent stays. Another host, port, username or hostKey asks for the credentials anew. Null where it waits for a second operator: operatorProposedChanges.',
    args: { ...businessArg(), ...connectionChangeArgs(), ...reasonArg() },
    resolve: (_root, args, context) =>
      changeConnectionByOperator(context.operatorCall, args as unknown as ConnectionChange),
  }),
  operatorRoutesReplace: t.field({
    nullable: true,
    type: PayoutRouting,
    description:
      "Operators only. Replaces the routes of a business's production as a whole; an empty list gives everything back to the provider of the service. Null where it waits for a second operator: operatorProposedChanges.",
    args: { ...businessArg(), ...routingArgs(), ...reasonArg() },
    resolve: (_root, args, context) => replaceRoutesByOperator(context.operatorCall, args),
  }),
}));
