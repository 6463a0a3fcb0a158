import {
  listOpenBankConnections,
  type OpenBankConnection,
} from '../../src/domain/operator/bank-lists.ts';
import { batchWindow } from '../../src/values/bank-days/cut-off.ts';
import { BankConnectionStatusEnum, BankTransportEnum } from '../bank/enums.ts';
import { builder } from '../builder.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed } from './listed.ts';
import { operatorPageCost } from './page.ts';

const OperatorOpenBankConnection = builder
  .objectRef<OpenBankConnection>('OperatorOpenBankConnection')
  .implement({
    description: 'A bank connection that is not closed, and how its files fare.',
    interfaces: [OperatorListed],
    fields: (t) => ({
      connectionId: t.exposeID('connectionId', { description: 'The bank connection.' }),
      name: t.exposeString('name', { description: 'How people call it.' }),
      status: t.expose('status', {
        type: BankConnectionStatusEnum,
        description: 'Whether files are made for it.',
      }),
      transport: t.expose('transport', {
        type: BankTransportEnum,
        description: 'How files go to the bank and come back.',
      }),
      accountCurrency: t.exposeString('accountCurrency', { description: 'ISO 4217 code.' }),
      accountLast4: t.exposeString('accountLast4', {
        description: 'The last four characters of the IBAN or account number.',
      }),
      hasCredentials: t.exposeBoolean('hasCredentials', {
        description: 'Whether a password or a private key is stored.',
      }),
      fetchedAt: t.expose('fetchedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          "When a look for the bank's files succeeded, written every ten minutes; null where none has.",
      }),
      fetchProblem: t.exposeString('fetchProblem', {
        nullable: true,
        description: 'Why the latest look failed; null where it succeeded.',
      }),
      fetchProblemSince: t.expose('fetchProblemSince', {
        type: 'DateTime',
        nullable: true,
        description: 'Since when every look has failed; null where the latest succeeded.',
      }),
      closesAt: t.field({
        type: 'DateTime',
        description: 'The next cut-off: what waits until then goes into the next files.',
        resolve: ({ cutOffTime: time, ...rest }) =>
          batchWindow({ time, ...rest }, new Date()).closesAt,
      }),
      waiting: t.exposeInt('waiting', { description: 'Payouts that wait for the next file.' }),
      oldestWaiting: t.expose('oldestWaiting', {
        type: 'DateTime',
        nullable: true,
        description: 'Since when the first of them waits; null where none does.',
      }),
      fileProblem: t.exposeString('fileProblem', {
        nullable: true,
        description:
          'Why no file could be made at the latest cut-off; null where there is nothing.',
      }),
    }),
  });

const BankConnections = builder.connectionObject({
  type: OperatorOpenBankConnection,
  name: 'OperatorOpenBankConnectionConnection',
  description: 'A page of bank connections, newest first.',
});

builder.queryField('operatorBankConnections', (t) =>
  t.field({
    type: BankConnections,
    description:
      'Operators only. The bank connections that are not closed, of every business, newest first: whether their files can be fetched and made, and what waits for the next one. operatorBanking has the settings of each.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage(
      'operatorBankConnections',
      listOpenBankConnections,
      ({ connectionId }) => connectionId,
    ),
  }),
);
