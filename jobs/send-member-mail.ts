import { jobScope } from '../src/access/system.ts';
import { prepareInvitationMail } from '../src/domain/access/invitation-store.ts';
import { createMailer, MailNotSent } from '../src/mail/send.ts';
import { memberMail } from '../src/mail/templates/member.ts';
import type { Handler } from './handler.ts';

/**
 * Mails a member the token by which they get a key of their own. It is made here, for this try alone,
 * and goes into the mail and nowhere else. Nothing is sent for an invitation that has ended.
 */
export const sendMemberMail: Handler<'send_member_mail'> = async (
  { tenantId, invitationId },
  services,
) => {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: baseUrl } = services.config;
  const about = { tenant_id: tenantId, member_invitation_id: invitationId };
  if (smtpUrl === null) {
    services.log.debug(about, 'no member mail: SMTP_URL is not set');
    return;
  }
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'members' });
  const invitation = await prepareInvitationMail(services.pool, scope, invitationId);
  if (invitation === null) {
    services.log.debug(about, 'no member mail: the invitation is not live');
    return;
  }
  const mailer = createMailer({ smtpUrl, from });
  try {
    // The invitation names the mail, so one that is sent again after a crash is the same mail.
    await mailer.send({
      ...memberMail({ ...invitation, baseUrl }),
      to: invitation.email,
      messageId: `member.${invitationId}`,
    });
  } catch (error) {
    if (!(error instanceof MailNotSent && error.permanent)) throw error;
    services.log.warn({ ...about, message: error.message }, 'member mail refused');
  } finally {
    mailer.close();
  }
};
