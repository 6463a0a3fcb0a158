import { makeLinkToken } from '../../access/collection-link.ts';
import type { Environment } from '../../access/scope.ts';
import { firstRow, inTransaction, rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { CollectionScope } from './request.ts';

/**
 * Tries to send the mail of one link. With the queue's back-off they take about sixteen hours; the
 * link lives seven days.
 */
const maxTries = 12;

/**
 * A new link of a request that is live and whose mail has not gone out. The token's hash is committed
 * before the mail is tried, so that no mail carries a link that opens nothing; all of a request's
 * links open it, since a mail that seemed lost may have arrived.
 */
const prepareMail: Statement = {
  name: 'prepare_collection_mail',
  text: `
    UPDATE collection_request r SET mail_attempts = r.mail_attempts + 1
    FROM beneficiary b, business u
    WHERE r.tenant_id = $1 AND r.id = $2 AND r.status = 'live' AND r.expires_at > now()
      AND r.mail_status = 'pending'
      AND b.tenant_id = $1 AND b.id = r.beneficiary_id AND u.id = $3
    RETURNING r.scope, r.expires_at AS "expiresAt", r.mail_attempts AS attempts, b.email,
      coalesce(u.legal_name, u.company_name) AS "businessName"`,
};

const insertLink: Statement = {
  name: 'insert_collection_link',
  text: 'INSERT INTO collection_link (tenant_id, token_hash, request_id) VALUES ($1, $2, $3)',
};

interface PreparedRow {
  readonly scope: CollectionScope;
  readonly expiresAt: Date;
  readonly attempts: number;
  readonly email: string;
  readonly businessName: string;
}

/** What a mail says, and the token that it carries: it is known to nobody after the mail is sent. */
export interface PreparedMail extends PreparedRow {
  readonly token: string;
  readonly environment: Environment;
  /** Whether a failure is final: no further try is made. */
  readonly last: boolean;
}

/** Prepares one try; null when the request has ended or its mail has gone out. */
export async function prepareCollectionMail(
  { services, scope }: Call,
  requestId: string,
): Promise<PreparedMail | null> {
  const { tenantId, businessId, environment } = scope;
  const { token, hash } = makeLinkToken();
  return inTransaction(services.pool, async (client) => {
    const row = await firstRow<PreparedRow & Record<string, unknown>>(client, prepareMail, [
      tenantId,
      requestId,
      businessId,
    ]);
    if (row === null) return null;
    await rows(client, insertLink, [tenantId, hash, requestId]);
    return { ...row, token, environment, last: row.attempts >= maxTries };
  });
}

const recordMail: Statement = {
  name: 'record_collection_mail',
  text: `
    UPDATE collection_request r SET
      mail_status = $3, mail_error = $4,
      mailed_at = CASE WHEN $3 = 'sent' THEN clock.now ELSE r.mailed_at END
    FROM (SELECT now()) AS clock
    WHERE r.tenant_id = $1 AND r.id = $2 AND r.mail_status = 'pending'`,
};

/**
 * Records what became of a try: `sent`; `pending` when another one follows; `dead` when none does,
 * which the business and the operators then see.
 * @param error why it failed, without the recipient and the link
 */
export async function recordCollectionMail(
  { services, scope }: Call,
  requestId: string,
  status: 'sent' | 'pending' | 'dead',
  error: string | null,
): Promise<void> {
  await firstRow(services.pool, recordMail, [scope.tenantId, requestId, status, error]);
}
