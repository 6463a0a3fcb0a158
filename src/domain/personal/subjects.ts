/** SQL for ids, in a statement or in the body of a function. */
export interface Subjects {
  readonly tenant: string;
  readonly beneficiary: string;
  /** Arrays of the ids of what belongs to the payee. */
  readonly accounts: string;
  readonly requests: string;
  readonly enrollments: string;
  readonly payouts: string;
  readonly attempts: string;
}

/** The queries that find those arrays, in an order in which each needs only those before it. */
export const subjectQueries: Readonly<
  Record<Exclude<keyof Subjects, 'tenant' | 'beneficiary'>, (of: Subjects) => string>
> = {
  accounts: idsOf('bank_account'),
  requests: idsOf('collection_request'),
  enrollments: idsOf('enrollment'),
  payouts: idsOf('payout'),
  attempts: ({ tenant, payouts }) =>
    `SELECT x.id FROM public.disbursement_attempt x WHERE x.tenant_id = ${tenant} AND x.payout_id = ANY (${payouts})`,
};

function idsOf(table: string) {
  return ({ tenant, beneficiary }: Subjects): string =>
    `SELECT x.id FROM public.${table} x WHERE x.tenant_id = ${tenant} AND x.beneficiary_id = ${beneficiary}`;
}

/** Rows of the payee itself. */
export const ofPayee = ({ tenant, beneficiary }: Subjects) =>
  `t.tenant_id = ${tenant} AND t.beneficiary_id = ${beneficiary}`;
/** Rows of the payee's payouts. */
export const ofPayouts = ({ tenant, payouts }: Subjects) =>
  `t.tenant_id = ${tenant} AND t.payout_id = ANY (${payouts})`;
/** Events of the payee's payouts, of the payee, and of what belongs to it. */
export const eventsOf = (alias: string, { beneficiary, accounts, requests, payouts }: Subjects) =>
  `(${alias}.payout_id = ANY (${payouts}) OR ${alias}.subject_id = ${beneficiary}
      OR ${alias}.subject_id = ANY (${accounts}) OR ${alias}.subject_id = ANY (${requests}::text[]))`;

/** What the reference of an open event says, since its tenant and its subject are recorded when it closes. */
export const openEvent = ({ tenant, attempts, enrollments }: Subjects, status: string) =>
  `t.status = '${status}' AND t.event ->> 'reference' = ANY (
      SELECT ${tenant} || '.' || s FROM unnest(${attempts} || ${enrollments}) s)`;
