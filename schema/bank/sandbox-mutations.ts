import {
  changeSandboxConnection,
  connectSandboxBank,
} from '../../src/domain/bank-connection/sandbox.ts';
import { replaceSandboxRoutes } from '../../src/domain/route/replace.ts';
import { builder } from '../builder.ts';
import { BankConnectionStatusEnum, BankSchemeEnum } from './enums.ts';
import { routingArgs } from './input.ts';
import { BankConnection, PayoutRouting } from './type.ts';

const SandboxBankInput = builder.inputType('SandboxBankInput', {
  description: 'An account at the sandbox bank.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'How people call it, up to 100 characters.' }),
    currency: t.string({
      required: true,
      description: 'EUR, GBP or USD; country, calendar and schemes follow from it.',
    }),
    furtherCurrencies: t.stringList({
      description: 'ISO 4217 codes of further accounts with the same number.',
    }),
    debtorName: t.string({ required: true, description: 'Who pays, up to 70 characters.' }),
    schemes: t.field({
      type: [BankSchemeEnum],
      description: 'How it pays; all that the currency permits where absent.',
    }),
    cutOffTime: t.string({ description: 'HH:MM on the clock of the bank; 17:00 where absent.' }),
    maxPayments: t.int({ description: 'Payments of a file, 1 to 10,000; 1,000 where absent.' }),
    returnBankDays: t.int({ description: 'Bank days until settled, 1 to 90; 3 where absent.' }),
  }),
});

const SandboxBankChangeInput = builder.inputType('SandboxBankChangeInput', {
  description: 'A change of a sandbox connection; what is absent stays.',
  fields: (t) => ({
    connectionId: t.id({ required: true, description: 'The connection.' }),
    version: t.int({ required: true, description: 'The version that it was seen in.' }),
    status: t.field({ type: BankConnectionStatusEnum, description: 'Whether files are made.' }),
    cutOffTime: t.string({ description: 'HH:MM on the clock of the bank.' }),
    maxPayments: t.int({ description: 'Payments of a file, 1 to 10,000.' }),
    returnBankDays: t.int({ description: 'Bank days until settled, 1 to 90.' }),
  }),
});

builder.mutationFields((t) => ({
  sandboxBankConnect: t.field({
    nullable: true,
    type: BankConnection,
    description:
      'Sandbox only, for owners and admins. Connects the sandbox to the bank of the sandbox, which takes files and answers in files.',
    args: {
      input: t.arg({ type: SandboxBankInput, required: true, description: 'The account.' }),
    },
    resolve: (_root, { input }, context) =>
      connectSandboxBank(context.call, input as Parameters<typeof connectSandboxBank>[1]),
  }),
  sandboxBankChange: t.field({
    nullable: true,
    type: BankConnection,
    description:
      'Sandbox only, for owners and admins. Changes a connection to the sandbox bank whose version is the one that was seen.',
    args: {
      input: t.arg({ type: SandboxBankChangeInput, required: true, description: 'The change.' }),
    },
    resolve: (_root, { input }, context) => changeSandboxConnection(context.call, input),
  }),
  sandboxRoutesReplace: t.field({
    nullable: true,
    type: PayoutRouting,
    description:
      'Sandbox only, for owners and admins. Replaces the routes as a whole; an empty list gives everything back to the simulator.',
    args: { ...routingArgs() },
    resolve: (_root, args, context) => replaceSandboxRoutes(context.call, args),
  }),
}));
