import { makeLinkToken } from '../../access/collection-link.ts';
import type { Environment } from '../../access/scope.ts';
import { firstRow, inTransaction, rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { languageIn, type LanguageCode } from '../../reference/languages.ts';
import { legalName, type BeneficiaryType } from '../beneficiary/identity.ts';
import { openEmail } from '../beneficiary/store.ts';
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
    FROM beneficiary b JOIN business u ON u.id = $3 LEFT JOIN collection_branding g ON g.tenant_id = $1
    WHERE r.tenant_id = $1 AND r.id = $2 AND r.status = 'live' AND r.expires_at > now()
      AND r.mail_status = 'pending' AND b.tenant_id = $1 AND b.id = r.beneficiary_id
    RETURNING r.scope, r.language AS named, r.expires_at AS "expiresAt", r.mail_attempts AS attempts,
      b.id AS "beneficiaryId", b.email, b.email_ciphertext AS "emailCiphertext", b.beneficiary_type AS "beneficiaryType", b.first_name AS "firstName",
      b.last_name AS "lastName", b.business_name AS "payeeBusinessName",
      coalesce(b.country_of_residence, b.country_of_incorporation) AS country,
      coalesce(u.legal_name, u.company_name) AS "businessName",
      u.profile_status = 'accepted' AS accepted, g.color,
      g.support_contact AS "supportContact", g.privacy_url AS "privacyUrl",
      g.language AS "usualLanguage", g.logo, g.logo_type AS "logoType", g.logo_width AS "logoWidth",
      g.logo_height AS "logoHeight"`,
};

const insertLink: Statement = {
  name: 'insert_collection_link',
  text: 'INSERT INTO collection_link (tenant_id, token_hash, request_id) VALUES ($1, $2, $3)',
};

interface PreparedRow {
  readonly scope: CollectionScope;
  /** The language that the invite named. */
  readonly named: LanguageCode | null;
  readonly expiresAt: Date;
  readonly attempts: number;
  readonly beneficiaryId: string;
  readonly email: string | null;
  readonly emailCiphertext: Uint8Array | null;
  readonly beneficiaryType: BeneficiaryType;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly payeeBusinessName: string | null;
  readonly country: string | null;
  readonly businessName: string;
  readonly accepted: boolean;
  readonly color: string | null;
  readonly supportContact: string | null;
  readonly privacyUrl: string | null;
  readonly usualLanguage: LanguageCode | null;
  readonly logo: Buffer | null;
  readonly logoType: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
}

/** How the business wants the mail to look, and whom its reader can ask. */
interface PreparedBranding {
  /** `#rrggbb`. */
  readonly color: string | null;
  readonly supportContact: string | null;
  readonly privacyUrl: string | null;
  readonly logo: {
    readonly content: Buffer;
    readonly contentType: string;
    /** Pixels. */
    readonly width: number;
    readonly height: number;
  } | null;
}

/** What a mail says, and the token that it carries: it is known to nobody after the mail is sent. */
export interface PreparedMail {
  readonly token: string;
  readonly email: string;
  /** How the business knows the payee; empty when it knows no name. */
  readonly payeeName: string;
  readonly businessName: string;
  /** Whether an operator has accepted the business; always so in production. */
  readonly isAccepted: boolean;
  readonly scope: CollectionScope;
  readonly environment: Environment;
  readonly expiresAt: Date;
  readonly language: LanguageCode;
  /** Whether the invite named the language: the form is then shown in it too. */
  readonly languageNamed: boolean;
  readonly branding: PreparedBranding;
  /** Whether a failure is final: no further try is made. */
  readonly last: boolean;
}

/**
 * The language of a mail: the one that the invite names, else that of the payee's country, else the
 * one that the business writes in, else English.
 */
function languageOf({ named, country, usualLanguage }: PreparedRow): LanguageCode {
  return named ?? languageIn(country) ?? usualLanguage ?? 'en';
}

/**
 * Anybody can register and have sandbox mails sent to strangers. So a business that no operator has accepted
 * brings its colour into a mail, and no link and no picture of its own.
 */
function brandingOf(row: PreparedRow, isAccepted: boolean): PreparedBranding {
  const { color, supportContact, privacyUrl, logo: content, logoType: contentType } = row;
  if (!isAccepted) return { color, supportContact: null, privacyUrl: null, logo: null };
  const { logoWidth: width, logoHeight: height } = row;
  const whole = content !== null && contentType !== null && width !== null && height !== null;
  return {
    color,
    supportContact,
    privacyUrl,
    logo: whole ? { content, contentType, width, height } : null,
  };
}

/** Prepares one try; null when the request has ended or its mail has gone out. */
export async function prepareCollectionMail(
  call: Call,
  requestId: string,
): Promise<PreparedMail | null> {
  const { services, scope } = call;
  const { tenantId, businessId, environment } = scope;
  const { token, hash } = makeLinkToken();
  const row = await inTransaction(services.pool, async (client) => {
    const prepared = await firstRow<PreparedRow & Record<string, unknown>>(client, prepareMail, [
      tenantId,
      requestId,
      businessId,
    ]);
    if (prepared !== null) await rows(client, insertLink, [tenantId, hash, requestId]);
    return prepared;
  });
  if (row === null) return null;
  const isAccepted = environment === 'production' || row.accepted;
  return {
    token,
    email: openEmail(call, { ...row, id: row.beneficiaryId }),
    payeeName: legalName({ ...row, businessName: row.payeeBusinessName }),
    businessName: row.businessName,
    isAccepted,
    scope: row.scope,
    environment,
    expiresAt: row.expiresAt,
    language: languageOf(row),
    languageNamed: row.named !== null,
    branding: brandingOf(row, isAccepted),
    last: row.attempts >= maxTries,
  };
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
