import { requirePermission } from '../../src/access/scope.ts';
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
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';

export const BankFileStatusEnum = builder.enumType('BankFileStatus', {
  description: 'How far the service is with a file of a bank.',
  values: describedValues<BankFileStatus>({
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
  }),
});

export const BankLineMatchEnum = builder.enumType('BankLineMatch', {
  description: 'What a movement of an account was matched with (docs/bank-reconciliation.md).',
  values: describedValues<LineMatch>({
    open: 'The service has not decided yet.',
    payout: 'It shows the debit of a payout, or of several that the bank booked as one.',
    return: 'It shows a payout that came back.',
    fee: 'The bank took it for itself; the books have it as a fee.',
    funding: 'Money came in; the books have it as funding.',
    unmatched: 'It matches nothing, and a person has to look. doubt says why.',
    explained: 'A person has said what it is.',
  }),
});

export const BankLineDoubtEnum = builder.enumType('BankLineDoubt', {
  description: 'Why a movement is left to a person.',
  values: describedValues<LineDoubt>(lineDoubts),
});

export const BankFileProblemEnum = builder.enumType('BankFileProblem', {
  description: 'Why a file of a bank cannot be read (docs/bank-reconciliation.md).',
  values: describedValues<FileProblem>(fileProblems),
});

export const ProposalStatusEnum = builder.enumType('BankAccountProposalStatus', {
  description: 'What became of a proposal.',
  values: describedValues<ProposalStatus>({
    open: 'Nobody has decided.',
    taken: 'Somebody took it: the account has a new version.',
    declined: 'Somebody declined it; the account stayed as it was.',
  }),
});

export const BankFile = builder.prismaNode('BankFile', {
  description: 'A file that came from a bank. The same bytes are one file for each connection.',
  id: { resolve: (file) => file.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) => ({
    connectionId: t.exposeID('connectionId', { description: 'The bank connection.' }),
    name: t.exposeString('name', { description: 'As the bank, or who brought it, named it.' }),
    status: t.field({
      type: BankFileStatusEnum,
      description: 'How far the service is with it.',
      // The column's CHECK constraint holds these values.
      resolve: (file) => file.status as BankFileStatus,
    }),
    sha256: t.exposeString('sha256', {
      nullable: true,
      description: 'SHA-256 of its bytes, in hexadecimal digits; null while it is being stored.',
    }),
    sizeBytes: t.float({
      nullable: true,
      description:
        'Its length in bytes, an integer; null while it is being stored. No further reading changes it.',
      resolve: ({ sizeBytes }) => (sizeBytes === null ? null : Number(sizeBytes)),
    }),
    format: t.exposeString('format', {
      nullable: true,
      description:
        'By its latest reading that ended: such as camt.053.001.08, or nacha; null where it is not known.',
    }),
    problem: t.field({
      type: BankFileProblemEnum,
      nullable: true,
      description:
        'Why its latest reading failed; null where it did not, and while it is to be read again.',
      resolve: (file) => file.problem as FileProblem | null,
    }),
    problemPlace: t.exposeString('problemPlace', {
      nullable: true,
      description: 'Where in the file the problem is: the line and, in XML, the path.',
    }),
    receivedAt: t.expose('receivedAt', {
      type: 'DateTime',
      description:
        'When it first arrived. Neither a further reading nor the same bytes once more change it.',
    }),
    appliedAt: t.expose('appliedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When everything that its latest reading says was matched and told; null before, and again from when it is to be read again. What counted until then goes on counting.',
    }),
  }),
});

export const BankLineDirectionEnum = builder.enumType('BankLineDirection', {
  description: 'Which way money moved, seen from the account.',
  values: describedValues<'credit' | 'debit'>({
    credit: 'Money came in.',
    debit: 'Money went out.',
  }),
});

export const BankLine = builder.prismaNode('BankLine', {
  description:
    'A movement of an account at a bank. One that a notification and a statement tell of is one movement.',
  id: { resolve: (line) => line.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) => ({
    connectionId: t.exposeID('connectionId', { description: 'The bank connection.' }),
    fileId: t.exposeID('fileId', { description: 'The file that told of it first.' }),
    direction: t.field({
      type: BankLineDirectionEnum,
      description: 'credit: money came in. debit: money went out.',
      // The column's CHECK constraint holds these values.
      resolve: ({ direction }) => direction as 'credit' | 'debit',
    }),
    amountMinor: t.expose('amountMinor', {
      type: 'MinorUnits',
      nullable: true,
      description: 'Minor units of currency; null where the bank gives none for it alone.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    bookedOn: t.exposeString('bookedOn', {
      nullable: true,
      description: 'The day on which the bank booked it, YYYY-MM-DD; null where it says none.',
    }),
    bankReference: t.exposeString('bankReference', {
      nullable: true,
      description: "The bank's own reference; null where it gives none.",
    }),
    bankCode: t.exposeString('bankCode', {
      nullable: true,
      description:
        'What kind of movement it is, by the codes of ISO 20022, such as PMNT ICDT ESCT.',
    }),
    endToEndId: t.exposeString('endToEndId', {
      nullable: true,
      description: 'The end-to-end reference that it names; null for none.',
    }),
    returnCode: t.exposeString('returnCode', {
      nullable: true,
      description: 'The code with which a payment came back; null where none did.',
    }),
    match: t.field({
      type: BankLineMatchEnum,
      description: 'What it was matched with.',
      resolve: (line) => line.match as LineMatch,
    }),
    doubt: t.field({
      type: BankLineDoubtEnum,
      nullable: true,
      description: 'Why it is left to a person; null where it is not.',
      resolve: (line) => line.doubt as LineDoubt | null,
    }),
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
    explanation: t.exposeString('explanation', {
      nullable: true,
      description: 'What a person said who matched or explained it by hand; null where nobody did.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was read.' }),
  }),
});

export const BankAccountProposal = builder.prismaNode('BankAccountProposal', {
  description:
    'What a bank says is right about an account that was paid (a notification of change). Nothing changes until a person takes it.',
  id: { resolve: (proposal) => proposal.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) => ({
    code: t.exposeString('code', {
      description: 'The code of the notification, C01 to C14 (docs/bank-reconciliation.md).',
    }),
    payoutId: t.exposeID('payoutId', { description: 'The payout that the bank answers.' }),
    beneficiaryId: t.exposeID('beneficiaryId', { description: 'Whose account it is.' }),
    bankAccountId: t.exposeID('bankAccountId', { description: 'The account.' }),
    bankAccountVersion: t.exposeInt('bankAccountVersion', {
      description: 'The version of the account that was paid, which the bank corrects.',
    }),
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
    status: t.field({
      type: ProposalStatusEnum,
      description: 'What became of it.',
      resolve: (proposal) => proposal.status as ProposalStatus,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was read.' }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When somebody decided; null before.',
    }),
  }),
});
