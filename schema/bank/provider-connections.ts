import { requirePermission } from '../../src/access/scope.ts';
import type { CheckLine } from '../../src/domain/provider-connection/check-line.ts';
import { checkProviderConnection } from '../../src/domain/provider-connection/check.ts';
import {
  changeSandboxProvider,
  connectSandboxProvider,
} from '../../src/domain/provider-connection/sandbox.ts';
import {
  listAccountProviders,
  providerOf,
  shownSettings,
  type AccountProvider,
  type DescribedField,
} from '../../src/domain/provider-connection/shown.ts';
import {
  listProviderConnections,
  type ProviderConnection as Row,
} from '../../src/domain/provider-connection/store.ts';
import { bool, id, int, listOf, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { BankConnectionStatusEnum } from './enums.ts';

interface Setting {
  readonly name: string;
  readonly value: string;
}

const ProviderSetting = builder.objectRef<Setting>('ProviderSetting').implement({
  description: 'What people gave of an account at a provider, but for secrets.',
  fields: (t) => shown(t, { name: text('Its name.'), value: text('As it was given.') }),
});

export const ProviderConnection = builder.objectRef<Row>('ProviderConnection').implement({
  description:
    'An account of the business at a provider that is called for each payment (docs/providers.md). Its secrets are never shown.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the connection.'),
      name: text('How people call it.'),
      status: stored(BankConnectionStatusEnum, 'Whether payments are made through it.'),
      adapter: text('The provider at which the account is.'),
      provider: t.string({
        description: 'The name that payouts and their attempts have for it as their provider.',
        resolve: providerOf,
      }),
      settings: t.field({
        type: [ProviderSetting],
        description: 'What was given of it, but for secrets.',
        resolve: shownSettings,
      }),
      webhookPath: t.string({
        description: 'The path of the service to which the provider posts its events.',
        resolve: ({ id: connectionId }) => `/provider-webhooks/${connectionId}`,
      }),
      version: int('Counts the changes; a change names it.'),
      createdAt: time('Time of creation.'),
      updatedAt: time('Time of the last change.'),
    }),
});

const AccountFieldObject = builder.objectRef<DescribedField>('AccountField').implement({
  description: 'What an account at a provider is described by.',
  fields: (t) =>
    shown(t, {
      name: text('Its name.'),
      description: text('What it is.'),
      required: bool('Whether an account needs it.'),
      secret: bool('Whether it is written once and never shown.'),
    }),
});

export const AccountProviderObject = builder
  .objectRef<AccountProvider>('AccountProvider')
  .implement({
    description: 'A provider at which a business may have an account of its own.',
    fields: (t) =>
      shown(t, {
        adapter: text('Its name.'),
        fields: listOf(AccountFieldObject, 'What an account is described by.'),
      }),
  });

export const ProviderConnectionCheck = builder
  .objectRef<CheckLine>('ProviderConnectionCheck')
  .implement({
    description: 'One thing that was looked at of an account at a provider.',
    fields: (t) =>
      shown(t, {
        holds: bool('Whether it is as payments need it.'),
        text: text('What was found, in a sentence.'),
      }),
  });

/** The connection that a look is about. */
export const providerCheckArgs = () =>
  builder.args((t) => ({
    connectionId: t.id({ required: true, description: 'The connection.' }),
  }));

/** A look asks the provider, so a document has few of them. */
export const providerCheckCost = { field: 3_000 };

const ProviderSettingInput = builder.inputType('ProviderSettingInput', {
  description: 'One field of an account at a provider; accountProviders has their names.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    value: t.string({
      required: true,
      description: 'Its value, as text; empty takes away what was given before.',
    }),
  }),
});

const named = 'How people call it, up to 100 characters.';

/** The arguments that make a connection. */
export const providerConnectArgs = () =>
  builder.args((t) => ({
    name: t.string({ required: true, description: named }),
    adapter: t.string({ required: true, description: 'The provider: accountProviders.' }),
    settings: t.field({
      type: [ProviderSettingInput],
      required: true,
      description: 'The fields of the account, secrets too. They are stored encrypted.',
    }),
  }));

/** The arguments that change one. */
export const providerChangeArgs = () =>
  builder.args((t) => ({
    connectionId: t.id({ required: true, description: 'The connection.' }),
    version: t.int({ required: true, description: 'The version that it was seen in.' }),
    name: t.string({ description: named }),
    status: t.field({
      type: BankConnectionStatusEnum,
      description: 'Whether payments are made through it. A closed one is closed for good.',
    }),
    settings: t.field({
      type: [ProviderSettingInput],
      description:
        'Fields that become others. Of a secret the one before is accepted in events too.',
    }),
  }));

builder.queryFields((t) => ({
  providerConnections: t.field({
    type: [ProviderConnection],
    description:
      'The accounts of the tenant at providers that are called, oldest first, closed ones too.',
    resolve: (_root, _args, { call }) => {
      requirePermission(call.scope, 'read');
      return listProviderConnections(call.services.pool, call.scope);
    },
  }),
  accountProviders: t.field({
    type: [AccountProviderObject],
    description:
      'At which providers a business may have accounts, and what an account is described by.',
    resolve: (_root, _args, { call }) => {
      requirePermission(call.scope, 'read');
      return listAccountProviders();
    },
  }),
  providerConnectionCheck: t.field({
    type: [ProviderConnectionCheck],
    nullable: true,
    description:
      'For owners and admins. Proves an account at a provider: that its credentials open it with the permissions that payments need, and that its events reach the service and are signed. The provider is asked. Throws not_found.',
    args: providerCheckArgs(),
    complexity: providerCheckCost,
    resolve: (_root, { connectionId }, { call }) => {
      requirePermission(call.scope, 'banks:write');
      return checkProviderConnection(call, connectionId);
    },
  }),
}));

builder.mutationFields((t) => ({
  sandboxProviderConnect: t.field({
    nullable: true,
    type: ProviderConnection,
    description:
      "Sandbox only, for owners and admins. Connects the sandbox to an account on a provider's test platform.",
    args: providerConnectArgs(),
    resolve: (_root, args, context) => connectSandboxProvider(context.call, args),
  }),
  sandboxProviderConnectionChange: t.field({
    nullable: true,
    type: ProviderConnection,
    description:
      'Sandbox only, for owners and admins. Changes a connection whose version is the one that was seen; what is absent stays. Refused for closing one to which a route leads.',
    args: providerChangeArgs(),
    resolve: (_root, args, context) => changeSandboxProvider(context.call, args),
  }),
}));
