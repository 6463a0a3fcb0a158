import { prepareSignInMail } from '../src/access/session/link.ts';
import { createMailer, MailNotSent } from '../src/mail/send.ts';
import { signInMail } from '../src/mail/templates/sign-in.ts';
import type { Handler } from './handler.ts';

/**
 * Mails the link by which a person signs in. Its token is made here, for this try alone. Nothing is sent for
 * a request that was used or is too old.
 */
export const sendSignInMail: Handler<'send_sign_in_mail'> = async ({ requestId }, services) => {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: baseUrl } = services.config;
  const about = { sign_in_request_id: requestId };
  if (smtpUrl === null) {
    services.log.debug(about, 'no sign-in mail: SMTP_URL is not set');
    return;
  }
  const prepared = await prepareSignInMail(services.pool, requestId);
  if (prepared === null) {
    services.log.debug(about, 'no sign-in mail: the request is not live');
    return;
  }
  const mailer = createMailer({ smtpUrl, from });
  try {
    await mailer.send({
      ...signInMail({ ...prepared, baseUrl }),
      to: prepared.email,
      messageId: `sign-in.${requestId}`,
    });
  } catch (error) {
    if (!(error instanceof MailNotSent && error.permanent)) throw error;
    services.log.warn({ ...about, message: error.message }, 'sign-in mail refused');
  } finally {
    mailer.close();
  }
};
