import { findRegistrant } from '../src/domain/business/registrant.ts';
import { createMailer, MailNotSent, type Mail } from '../src/mail/send.ts';
import { registrationMail } from '../src/mail/templates/registration.ts';
import type { Services } from '../src/process/services.ts';
import type { Handler } from './handler.ts';

/** Greets who registered a business; the mail holds no key. */
export const sendRegistrationMail: Handler<'send_registration_mail'> = async (
  { businessId, userId },
  services,
) => {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: baseUrl } = services.config;
  const about = { business_id: businessId, user_id: userId };
  if (smtpUrl === null) {
    services.log.debug(about, 'no registration mail: SMTP_URL is not set');
    return;
  }
  const registrant = await findRegistrant(services.pool, businessId, userId);
  if (registrant === null) {
    services.log.warn(about, 'no registration mail: the registrant is gone');
    return;
  }
  const { companyName: businessName, email: to } = registrant;
  const content = registrationMail({ businessName, baseUrl, docsUrl: `${baseUrl}/docs` });
  // The ids name the mail, so one that is sent again after a crash is the same mail.
  const mail = { ...content, to, messageId: `registration.${businessId}.${userId}` };
  await send(services, { smtpUrl, from }, mail, about);
};

/** Throws where another try may help; a mail that is refused for good ends here. */
async function send(
  services: Services,
  server: { readonly smtpUrl: string; readonly from: string },
  mail: Mail,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  const mailer = createMailer(server);
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailNotSent && error.permanent)) throw error;
    services.log.warn({ ...about, message: error.message }, 'registration mail refused');
  } finally {
    mailer.close();
  }
}
