import { requirePermission } from '../../src/access/scope.ts';
import { lineFields } from '../../src/domain/bank-file/fields.ts';
import { shownCorrection } from '../../src/domain/bank-file/proposal.ts';
import {
  fileProblems,
  lineDoubts,
  type BankFileStatus,
  type FileProblem,
  type LineDoubt,
  type LineMatch,
  type ProposalStatus,
} from '../../src/domain/bank-file/names.ts';
import { id, int, stored, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';

export const BankFileStatusEnum = describedEnum<BankFileStatus>(
  'BankFileStatus',
  'How far the service is with a file of a bank.',
  {
    arriving: 'It is being stored.',
    waiting:
      'An operator brought it, and a second operator has not confirmed it. Nothing that it says counts.',
    received:
      'It is stored, and is to be read, or to be read again. Then what it said before counts meanwhile.',
    read: 'Its latest reading succeeded. What it says counts once appliedAt has a time; until then what an earlier reading said.',
    unreadable:
      'Its latest reading failed. It is kept, and nothing of that reading counts; what an earlier one said still does.',
    dismissed:
      'It is of another kind and nobody needs it, or a second operator declined it. It is kept, and nothing counts but what an earlier reading said.',
  },
);

export const BankLineMatchEnum = describedEnum<LineMatch>(
  'BankLineMatch',
  'What a movement of an account was matched with (docs/bank-reconciliation.md).',
  {
    open: 'The service has not decided yet.',
    payout: 'It shows the debit of a payout, or of several that the bank booked as one.',
    return: 'It shows a payout that came back.',
    fee: 'The bank took it for itself; the books have it as a fee.',
    funding: 'Money came in; the books have it as funding.',
    unmatched: 'It matches nothing, and a person has to look. doubt says why.',
    explained: 'A person has said what it is.',
  },
);

export const BankLineDoubtEnum = describedEnum<LineDoubt>(
  'BankLineDoubt',
  'Why a movement is left to a person.',
  lineDoubts,
);

export const BankFileProblemEnum = describedEnum<FileProblem>(
  'BankFileProblem',
  'Why a file of a bank cannot be read (docs/bank-reconciliation.md).',
  fileProblems,
);

export const ProposalStatusEnum = describedEnum<ProposalStatus>(
  'BankAccountProposalStatus',
  'What became of a proposal.',
  {
    open: 'Nobody has decided.',
    taken: 'Somebody took it: the account has a new version.',
    declined: 'Somebody declined it; the account stayed as it was.',
  },
);

export const BankFile = builder.prismaNode('BankFile', {
  description: 'A file that came from a bank. The same bytes are one file for each connection.',
  id: { resolve: (file) => file.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      connectionId: id('The bank connection.'),
      name: text('As the bank, or who brought it, named it.'),
      status: stored(BankFileStatusEnum, 'How far the service is with it.'),
      sha256: text.orNull(
        'SHA-256 of its bytes, in hexadecimal digits; null while it is being stored.',
      ),
      sizeBytes: t.float({
        nullable: true,
        description:
          'Its length in bytes, an integer; null while it is being stored. No further reading changes it.',
        resolve: ({ sizeBytes }) => (sizeBytes === null ? null : Number(sizeBytes)),
      }),
      format: text.orNull(
        'By its latest reading that ended: such as camt.053.001.08, or nacha; null where it is not known.',
      ),
      problem: stored.orNull(
        BankFileProblemEnum,
        'Why its latest reading failed; null where it did not, and while it is to be read again.',
      ),
      problemPlace: text.orNull(
        'Where in the file the problem is: the line and, in XML, the path.',
      ),
      receivedAt: time(
        'When it first arrived. Neither a further reading nor the same bytes once more change it.',
      ),
      appliedAt: time.orNull(
        'When everything that its latest reading says was matched and told; null before, and again from when it is to be read again. What counted until then goes on counting.',
      ),
    }),
});

describedEnum<'credit' | 'debit'>(
  'BankLineDirection',
  'Which way money moved, seen from the account.',
  {
    credit: 'Money came in.',
    debit: 'Money went out.',
  },
);

export const BankLine = builder.prismaNode('BankLine', {
  description:
    'A movement of an account at a bank. One that a notification and a statement tell of is one movement.',
  id: { resolve: (line) => line.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      connectionId: id('The bank connection.'),
      ...lineFields,
      bankCode: text.orNull(
        'What kind of movement it is, by the codes of ISO 20022, such as PMNT ICDT ESCT.',
      ),
      match: stored(BankLineMatchEnum, 'What it was matched with.'),
      doubt: stored.orNull(BankLineDoubtEnum, 'Why it is left to a person; null where it is not.'),
      payoutIds: t.idList({
        description: 'The payouts that it was matched with, 100 at most.',
        complexity: 5,
        resolve: async ({ tenantId, id }, _args, context) => {
          const matches = await context.prisma.bankMatch.findMany({
            where: { tenantId, lineId: id },
            orderBy: { attemptId: 'asc' },
            take: 100,
          });
          return matches.map(({ payoutId }) => payoutId);
        },
      }),
      explanation: text.orNull(
        'What a person said who matched or explained it by hand; null where nobody did.',
      ),
    }),
});

export const BankAccountProposal = builder.prismaNode('BankAccountProposal', {
  description:
    'What a bank says is right about an account that was paid (a notification of change). Nothing changes until a person takes it.',
  id: { resolve: (proposal) => proposal.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      code: text('The code of the notification, C01 to C14 (docs/bank-reconciliation.md).'),
      payoutId: id('The payout that the bank answers.'),
      beneficiaryId: id('Whose account it is.'),
      bankAccountId: id('The account.'),
      bankAccountVersion: int('The version of the account that was paid, which the bank corrects.'),
      correction: t.field({
        type: 'JSON',
        nullable: true,
        description:
          'The corrected details: accountNumber (its last four digits), routingNumber, transactionCode, name, identification; null where it says nothing of one. Null once it was decided.',
        resolve: (proposal, _args, context) => {
          requirePermission(context.call.scope, 'read');
          return shownCorrection(context.call, proposal);
        },
      }),
      status: stored(ProposalStatusEnum, 'What became of it.'),
      createdAt: time('When it was read.'),
      decidedAt: time.orNull('When somebody decided; null before.'),
    }),
});
