import { jobScope } from '../src/access/system.ts';
import { findChangeMail } from '../src/domain/access/tell.ts';
import { createMailer, MailNotSent } from '../src/mail/send.ts';
import { accessChangeMail } from '../src/mail/templates/access-change.ts';
import type { Handler } from './handler.ts';

/** Tells one owner or admin of a change that decides where money or secrets go. */
export const sendAccessMail: Handler<'send_access_mail'> = async (
  { tenantId, changeId, membershipId },
  services,
) => {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = services.config;
  const about = { tenant_id: tenantId, access_change_id: changeId, membership_id: membershipId };
  if (smtpUrl === null) {
    services.log.debug(about, 'no mail of a change: SMTP_URL is not set');
    return;
  }
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'members' });
  const found = await findChangeMail(services.pool, scope, changeId, membershipId);
  if (found === null) {
    services.log.warn(about, 'no mail of a change: there is no such change or member');
    return;
  }
  const mailer = createMailer({ smtpUrl, from });
  try {
    // The change and the member name the mail, so one that is sent again after a crash is the same mail.
    await mailer.send({
      ...accessChangeMail(found),
      to: found.email,
      messageId: `change.${changeId}.${membershipId}`,
    });
  } catch (error) {
    if (!(error instanceof MailNotSent && error.permanent)) throw error;
    services.log.warn({ ...about, message: error.message }, 'mail of a change refused');
  } finally {
    mailer.close();
  }
};
