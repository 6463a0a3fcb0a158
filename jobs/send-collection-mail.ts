import { jobScope } from '../src/access/system.ts';
import { inTransaction } from '../src/db/pool.ts';
import {
  prepareCollectionMail,
  recordCollectionMail,
  type PreparedMail,
} from '../src/domain/collection/mail.ts';
import { createMailer, MailNotSent } from '../src/mail/send.ts';
import { collectionMail } from '../src/mail/templates/collection.ts';
import { enqueue } from '../src/queue/queue.ts';
import type { Call } from '../src/process/services.ts';
import type { Handler } from './handler.ts';
import { mailShareOf } from './shares.ts';

/**
 * Sends the link of a collection request. The token is made here, for this try alone, and goes into the
 * mail and nowhere else. Nothing is sent for a request that has ended.
 */
export const sendCollectionMail: Handler<'send_collection_mail'> = async (payload, services) => {
  const { tenantId, requestId } = payload;
  const about = { tenant_id: tenantId, collection_request_id: requestId };
  const { SMTP_URL: smtpUrl } = services.config;
  if (smtpUrl === null) {
    services.log.debug(about, 'no collection mail: SMTP_URL is not set');
    return;
  }
  const entry = mailShareOf(services).enter(tenantId);
  if (!entry.granted) {
    const { waitMs } = entry;
    await inTransaction(services.pool, (client) =>
      enqueue(client, 'send_collection_mail', payload, { waitMs }),
    );
    return;
  }
  try {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'collection' });
    const call = { services, scope };
    const mail = await prepareCollectionMail(call, requestId);
    if (mail === null) services.log.debug(about, 'no collection mail: the link is not live');
    else await trySending(call, requestId, mail, smtpUrl);
  } finally {
    entry.leave();
  }
};

/** Throws where another try may help; a mail that is refused for good, or too often, is a dead letter. */
async function trySending(
  call: Call,
  requestId: string,
  mail: PreparedMail,
  smtpUrl: string,
): Promise<void> {
  const { config, log } = call.services;
  // Where the invite named no language, the form follows the reader's browser.
  const query = mail.languageNamed ? `?lang=${mail.language}` : '';
  const link = `${config.PUBLIC_URL}/collect/${mail.token}${query}`;
  const content = collectionMail({ ...mail, link });
  const mailer = createMailer({ smtpUrl, from: config.MAIL_FROM });
  try {
    // The request names the mail, so one that is sent again after a crash is the same mail.
    await mailer.send({ ...content, to: mail.email, messageId: `collection.${requestId}` });
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    const dead = error.permanent || mail.last;
    await recordCollectionMail(call, requestId, dead ? 'dead' : 'pending', error.message);
    if (!dead) throw error;
    const about = { tenant_id: call.scope.tenantId, collection_request_id: requestId };
    log.warn({ ...about, message: error.message }, 'collection mail refused; it is a dead letter');
    return;
  } finally {
    mailer.close();
  }
  await recordCollectionMail(call, requestId, 'sent', null);
}
