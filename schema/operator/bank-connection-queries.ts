import {
  listOpenBankConnections,
  type OpenBankConnection,
} from '../../src/domain/operator/bank-lists.ts';
import { batchWindow } from '../../src/values/bank-days/cut-off.ts';
import { BankConnectionStatusEnum, BankTransportEnum } from '../bank/enums.ts';
import { bool, id, int, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed } from './listed.ts';
import { operatorPageCost } from './page.ts';

const OperatorOpenBankConnection = builder
  .objectRef<OpenBankConnection>('OperatorOpenBankConnection')
  .implement({
    description: 'A bank connection that is not closed, and how its files fare.',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        connectionId: id('The bank connection.'),
        name: text('How people call it.'),
        status: of(BankConnectionStatusEnum, 'Whether files are made for it.'),
        transport: of(BankTransportEnum, 'How files go to the bank and come back.'),
        accountCurrency: text('ISO 4217 code.'),
        accountLast4: text('The last four characters of the IBAN or account number.'),
        hasCredentials: bool('Whether a password or a private key is stored.'),
        fetchedAt: time.orNull(
          "When a look for the bank's files succeeded, written every ten minutes; null where none has.",
        ),
        fetchProblem: text.orNull('Why the latest look failed; null where it succeeded.'),
        fetchProblemSince: time.orNull(
          'Since when every look has failed; null where the latest succeeded.',
        ),
        closesAt: t.field({
          type: 'DateTime',
          description: 'The next cut-off: what waits until then goes into the next files.',
          resolve: ({ cutOffTime: time, ...rest }) =>
            batchWindow({ time, ...rest }, new Date()).closesAt,
        }),
        waiting: int('Payouts that wait for the next file.'),
        oldestWaiting: time.orNull('Since when the first of them waits; null where none does.'),
        fileProblem: text.orNull(
          'Why no file could be made at the latest cut-off; null where there is nothing.',
        ),
      }),
  });

const BankConnections = connectionOf(
  OperatorOpenBankConnection,
  'OperatorOpenBankConnectionConnection',
  'A page of bank connections, newest first.',
);

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
