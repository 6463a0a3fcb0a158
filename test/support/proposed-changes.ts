import type { Harness, RestAnswer } from './harness.ts';
import type { TestTenant } from './factory.ts';

/* Changes that wait for a second operator, as GraphQL and the database show them. */

const list = `query ($businessId: ID) {
  operatorProposedChanges(businessId: $businessId) { edges { node {
    changeId kind subjectId businessId companyName environment shown digest reason proposedBy proposedByPerson proposedByYou expiresAt
  } } }
}`;

export interface Listed {
  readonly changeId: string;
  readonly digest: string;
  readonly [field: string]: unknown;
}

const answerDocument = `mutation ($businessId: ID!, $changeId: ID!, $digest: String!, $answer: OperatorChangeAnswer!) {
  done: operatorChangeAnswer(businessId: $businessId, changeId: $changeId, digest: $digest, answer: $answer,
    reason: "I called the bank") { changeId status changedId issuedKey { id environment role key } }
}`;

/** What tests do with the changes of one service. */
export function proposedChanges(harness: Harness) {
  const sql = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await harness.database.pool.query<R>(text, values)).rows;
  return {
    sql,

    /** The changes of a business that wait, as the operator of `key` sees them. */
    async waiting({ businessId }: TestTenant, key: string): Promise<Listed[]> {
      const answer = await harness.graphql(key, list, { businessId });
      return answer.body.data.operatorProposedChanges.edges.map(
        ({ node }: { node: Listed }) => node,
      );
    },

    /** Has the operator of `key` answer one. */
    answer: (
      { businessId }: TestTenant,
      { changeId, digest }: Pick<Listed, 'changeId' | 'digest'>,
      key: string,
      answer = 'confirmed',
    ): Promise<RestAnswer> =>
      harness.graphql(key, answerDocument, { businessId, changeId, digest, answer }),

    /** The rows of a table that are the business's, in either environment. */
    ofTenant: (table: string, { businessId }: TestTenant, columns = '*') =>
      sql<Record<string, unknown>>(
        `SELECT ${columns} FROM ${table} x JOIN tenant t ON t.id = x.tenant_id WHERE t.business_id = $1`,
        [businessId],
      ),

    /** What the business was told: records, and mails that are to be sent. */
    told: async ({ businessId }: TestTenant) => ({
      records: await sql(
        `SELECT kind, subject_id, actor ->> 'key_id' AS by FROM access_change WHERE business_id = $1 ORDER BY id`,
        [businessId],
      ),
      mails: (
        await sql<{ count: number }>(
          `SELECT count(*)::integer AS count FROM job_outbox j JOIN tenant t ON t.id = j.tenant_id
           WHERE t.business_id = $1 AND j.task = 'send_access_mail'`,
          [businessId],
        )
      )[0]?.count,
    }),
  };
}
