import { Prisma } from '../../../generated/prisma/client.ts';
import { wordless } from '../provider-event/words.ts';
import { columnName } from '../../db/columns.ts';
import { personal, personalColumns, type PersonalField } from '../encryption/personal.ts';
import { eventsOf, ofPayee, ofPayouts, openEvent, type Subjects } from './subjects.ts';

/*
 * Where the service holds personal data of a payee, table by table. The functions that erase and clear
 * (`prisma/repeatable/14-from-data.sql`), the export (`export.ts`) and the table in docs/personal-data.md are made from it.
 */

/** What stands for a person's words where the rest of a value stays. */
const erasedText = '[erased]';

/** The columns of what a payee tells about itself, in the encrypted form and in clear, all cleared. */
function clearsOf(model: keyof typeof personal): Record<string, string> {
  return Object.fromEntries(personalColumns(model).map((column) => [column, 'NULL']));
}

/** What a ciphertext holds. */
export interface Sealed {
  /** The field that it is bound to. */
  readonly field: string;
  /** An object as JSON; a text otherwise. */
  readonly json?: true;
}

/** The encrypted columns of a model. */
function opensOf(model: keyof typeof personal): Record<string, Sealed> {
  const fields: Readonly<Record<string, PersonalField>> = personal[model].fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { json }]) => {
      const field = columnName(name);
      return [`${field}_ciphertext`, { field, ...(json && { json }) }];
    }),
  );
}

export interface Holding {
  readonly table: string;
  /** The payee's rows: a condition on `t`. */
  readonly of: (subjects: Subjects) => string;
  /** When an erasure deletes the rows (`without_payouts`: if no payout was ever created). Others are cleared. */
  readonly deleted: 'always' | 'without_payouts' | 'never';
  /** The columns that an erasure replaces, with the SQL that it writes. Every other column stays. */
  readonly clears: Readonly<Record<string, string>>;
  /** Set beside them, so that whoever follows the changes of the rows learns of it. */
  readonly dates?: string;
  /** What stays when the rows are cleared, for readers of the documentation. */
  readonly stays: string;
  /** How the rows are exported; absent for what only the machinery of the service needs. */
  readonly exported?: Exported;
}

interface Exported {
  /** The name of the list in the export. */
  readonly as: string;
  /** The columns of its Prisma model. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of them those that say nothing about the payee, besides the tenant and what `opens` replaces. */
  readonly without?: readonly string[];
  /** The encrypted columns. */
  readonly opens?: Readonly<Record<string, Sealed>>;
  /** The primary key after `tenant_id`; `id` where it is absent. A ciphertext is bound to it. */
  readonly key?: readonly string[];
}

/** In the order in which rows can be deleted: those that refer to others come first. */
export const holdings: readonly Holding[] = [
  {
    table: 'public.collection_link',
    of: ({ tenant, requests }) => `t.tenant_id = ${tenant} AND t.request_id = ANY (${requests})`,
    deleted: 'always',
    clears: {},
    stays: 'nothing',
  },
  {
    table: 'public.tax_document',
    of: ofPayee,
    deleted: 'always',
    clears: {},
    stays: 'nothing',
    exported: {
      as: 'tax_documents',
      fields: Prisma.TaxDocumentScalarFieldEnum,
      without: ['content', 'content_key_ciphertext'],
    },
  },
  {
    table: 'public.collection_request',
    of: ofPayee,
    deleted: 'without_payouts',
    clears: { draft_ciphertext: 'NULL', mail_error: 'NULL' },
    stays: 'that a form was asked for, by whom, when, and how it ended',
    exported: {
      as: 'collection_requests',
      fields: Prisma.CollectionRequestScalarFieldEnum,
      opens: { draft_ciphertext: { field: 'draft', json: true } },
    },
  },
  {
    table: 'public.enrollment',
    of: ofPayee,
    deleted: 'without_payouts',
    clears: { payee_ciphertext: 'NULL', failure_message: 'NULL' },
    stays: "the provider's id of the recipient, its status and its times",
    exported: {
      as: 'enrollments',
      fields: Prisma.EnrollmentScalarFieldEnum,
      opens: { payee_ciphertext: { field: 'payee', json: true } },
    },
  },
  {
    table: 'public.bank_account_proposal',
    of: ofPayee,
    deleted: 'never',
    clears: { correction_ciphertext: 'NULL' },
    stays: 'which kind of detail a bank corrected, when, and what was decided',
    exported: {
      as: 'bank_account_proposals',
      fields: Prisma.BankAccountProposalScalarFieldEnum,
      opens: { correction_ciphertext: { field: 'correction', json: true } },
    },
  },
  {
    table: 'public.name_check',
    of: ({ tenant, accounts }) =>
      `t.tenant_id = ${tenant} AND t.bank_account_id = ANY (${accounts})`,
    deleted: 'without_payouts',
    clears: { name_on_file_ciphertext: 'NULL', confirmed_reason: 'NULL' },
    stays: 'what a bank said of the name, when, with which code, and who confirmed it',
    exported: {
      as: 'name_checks',
      fields: Prisma.NameCheckScalarFieldEnum,
      opens: { name_on_file_ciphertext: { field: 'name_on_file' } },
    },
  },
  {
    table: 'public.bank_account_version',
    of: ({ tenant, accounts }) =>
      `t.tenant_id = ${tenant} AND t.bank_account_id = ANY (${accounts})`,
    deleted: 'without_payouts',
    clears: {
      ...clearsOf('bankAccountVersion'),
      bank_name: 'NULL',
      identifiers_ciphertext: 'NULL',
    },
    stays: 'country, currency, type',
    exported: {
      as: 'bank_account_versions',
      fields: Prisma.BankAccountVersionScalarFieldEnum,
      opens: {
        ...opensOf('bankAccountVersion'),
        identifiers_ciphertext: { field: 'identifiers', json: true },
      },
      key: ['bank_account_id', 'version'],
    },
  },
  {
    table: 'public.bank_account',
    of: ofPayee,
    deleted: 'without_payouts',
    clears: {
      ...clearsOf('bankAccount'),
      bank_name: 'NULL',
      rail_rejection_reason: 'NULL',
      details_hash: 'NULL',
      external_ref: 'NULL',
      metadata: 'NULL',
    },
    stays: 'country, currency, type, the last four characters, the statuses',
    exported: {
      as: 'bank_accounts',
      fields: Prisma.BankAccountScalarFieldEnum,
      without: ['details_hash'],
      opens: opensOf('bankAccount'),
    },
  },
  {
    table: 'public.screening_decision',
    of: ({ tenant, beneficiary }) =>
      `t.tenant_id = ${tenant} AND t.hit_id IN (
      SELECT h.id FROM public.screening_hit h WHERE h.tenant_id = ${tenant} AND h.beneficiary_id = ${beneficiary})`,
    deleted: 'without_payouts',
    clears: { reason: 'NULL', evidence: 'NULL' },
    stays: 'what was decided, by whom, when',
    exported: {
      as: 'screening_decisions',
      fields: Prisma.ScreeningDecisionScalarFieldEnum,
      key: ['hit_id', 'seq'],
    },
  },
  {
    table: 'public.screening_hit',
    of: ofPayee,
    deleted: 'without_payouts',
    clears: { explained_ciphertext: 'NULL', subject_hash: 'NULL' },
    stays: 'the entry of the list, its score, and what became of it',
    exported: {
      as: 'screening_hits',
      fields: Prisma.ScreeningHitScalarFieldEnum,
      without: ['subject_hash'],
      opens: { explained_ciphertext: { field: 'explained', json: true } },
    },
  },
  {
    table: 'public.screening_result',
    of: ofPayee,
    deleted: 'without_payouts',
    clears: { subject_ciphertext: 'NULL', subject_hash: 'NULL' },
    stays: 'that it was screened, when, against which lists, with which result',
    exported: {
      as: 'screening_results',
      fields: Prisma.ScreeningResultScalarFieldEnum,
      without: ['subject_hash'],
      opens: { subject_ciphertext: { field: 'subject', json: true } },
    },
  },
  {
    table: 'public.beneficiary_transition',
    of: ofPayee,
    deleted: 'without_payouts',
    clears: { reason: 'NULL' },
    stays: 'what happened, by whom, when',
    exported: {
      as: 'history',
      fields: Prisma.BeneficiaryTransitionScalarFieldEnum,
      key: ['beneficiary_id', 'seq'],
    },
  },
  {
    table: 'public.beneficiary',
    of: ({ tenant, beneficiary }) => `t.tenant_id = ${tenant} AND t.id = ${beneficiary}`,
    deleted: 'without_payouts',
    clears: {
      ...clearsOf('beneficiary'),
      nickname: 'NULL',
      country_of_residence: 'NULL',
      country_of_incorporation: 'NULL',
      external_ref: 'NULL',
      metadata: 'NULL',
    },
    stays: 'id, type, legal name, statuses, times',
    exported: {
      as: 'beneficiary',
      fields: Prisma.BeneficiaryScalarFieldEnum,
      without: ['email_key', 'email_hash', 'revision', 'transition_count'],
      opens: opensOf('beneficiary'),
    },
  },
  {
    table: 'public.disbursement_attempt',
    of: ofPayouts,
    deleted: 'never',
    clears: { failure_message: 'NULL' },
    stays: 'amount, ids at the provider, failure code, times',
    exported: {
      as: 'disbursement_attempts',
      fields: Prisma.DisbursementAttemptScalarFieldEnum,
      without: ['key_expires_at', 'calls'],
    },
  },
  {
    table: 'public.bank_batch',
    of: ({ tenant, payouts }) =>
      `t.tenant_id = ${tenant} AND t.id IN (
      SELECT b.batch_id FROM public.bank_payment b WHERE b.tenant_id = ${tenant} AND b.payout_id = ANY (${payouts}))`,
    deleted: 'never',
    clears: {},
    stays: 'the file that ordered the payments of many payees from a bank, encrypted as a whole',
  },
  {
    table: 'public.bank_file',
    of: ({ tenant, payouts }) =>
      `t.tenant_id = ${tenant} AND t.id IN (
      SELECT l.file_id FROM public.bank_match m
      JOIN public.bank_line l ON l.tenant_id = m.tenant_id AND l.id = m.line_id
      WHERE m.tenant_id = ${tenant} AND m.payout_id = ANY (${payouts}))`,
    deleted: 'never',
    clears: {},
    stays: 'what a bank wrote of the payments of many payees, encrypted as a whole',
  },
  {
    table: 'public.payout_decision',
    of: ofPayouts,
    deleted: 'never',
    clears: {
      reasons: `(SELECT coalesce('[' || string_agg(
        CASE WHEN r ? 'message' THEN r || '{"message": "${erasedText}"}' ELSE r END::text, ',' ORDER BY n) || ']', '[]')::jsonb
        FROM jsonb_array_elements(t.reasons) WITH ORDINALITY AS e (r, n))`,
    },
    stays: 'what was decided, by whom, when, and the codes of the reasons',
    exported: {
      as: 'payout_decisions',
      fields: Prisma.PayoutDecisionScalarFieldEnum,
      without: ['request_hash'],
    },
  },
  {
    table: 'public.payout_transition',
    of: ofPayouts,
    deleted: 'never',
    clears: { reason: 'NULL' },
    stays: 'the states, by whom, when',
    exported: {
      as: 'payout_transitions',
      fields: Prisma.PayoutTransitionScalarFieldEnum,
      without: ['previous_seq'],
      key: ['payout_id', 'seq'],
    },
  },
  {
    table: 'public.payout',
    of: ({ tenant, payouts }) => `t.tenant_id = ${tenant} AND t.id = ANY (${payouts})`,
    deleted: 'never',
    clears: { metadata: 'NULL', failure_message: 'NULL' },
    dates: 'updated_at = command.clock()',
    stays: 'amount, currency, purpose, references, legal name, states, times',
    exported: {
      as: 'payouts',
      fields: Prisma.PayoutScalarFieldEnum,
      without: ['transition_count'],
    },
  },
  {
    table: 'public.event',
    of: (subjects) => `t.tenant_id = ${subjects.tenant} AND ${eventsOf('t', subjects)}`,
    deleted: 'never',
    clears: {},
    stays: 'all of it: ids, amounts, codes, times',
    exported: { as: 'events', fields: Prisma.EventScalarFieldEnum, without: ['discriminator'] },
  },
  {
    table: 'public.webhook_delivery_attempt',
    of: (subjects) =>
      `t.tenant_id = ${subjects.tenant} AND t.delivery_id IN (
      SELECT d.id FROM public.webhook_delivery d
      JOIN public.event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
      WHERE d.tenant_id = ${subjects.tenant} AND ${eventsOf('e', subjects)})`,
    deleted: 'never',
    clears: { answer: 'NULL', error: 'NULL' },
    stays: 'when each attempt was made, and the status of its answer',
  },
  {
    table: 'public.provider_event',
    of: ({ tenant, attempts, enrollments }) =>
      `t.tenant_id = ${tenant} AND t.subject_id = ANY (${attempts} || ${enrollments})`,
    deleted: 'never',
    clears: { event: wordless('t.event') },
    stays: "the provider's ids, amounts, codes and times, for `PROVIDER_EVENT_DAYS`",
  },
  {
    table: 'public.provider_event',
    of: (subjects) =>
      `(${openEvent(subjects, 'received')}) OR (${openEvent(subjects, 'unmatched')})`,
    deleted: 'never',
    clears: { event: wordless('t.event') },
    stays: 'the same of events that are not applied',
  },
  {
    table: 'public.job_run',
    of: ({ tenant, beneficiary, requests, enrollments, payouts }) =>
      `t.tenant_id = ${tenant} AND t.subject_id = ANY (${beneficiary} || ${requests}::text[] || ${enrollments} || ${payouts})`,
    deleted: 'never',
    clears: { error: 'NULL' },
    stays: 'which job ran, when, and whether it failed, for `JOB_HISTORY_DAYS`',
  },
  {
    table: 'graphile_worker._private_jobs',
    of: ({ tenant, requests, enrollments, payouts }) =>
      `t.last_error IS NOT NULL AND t.payload ->> 'tenantId' = ${tenant} AND (
      t.payload ->> 'requestId' = ANY (${requests}::text[])
      OR t.payload ->> 'enrollmentId' = ANY (${enrollments}) OR t.payload ->> 'payoutId' = ANY (${payouts}))`,
    deleted: 'never',
    clears: { last_error: 'NULL' },
    stays: 'the job itself, which holds ids only',
  },
];
