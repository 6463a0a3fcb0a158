import { findRegistrant } from '../src/domain/business/registrant.ts';
import { findProofOf, prepareProofMail } from '../src/domain/business/registration-proof-store.ts';
import { createMailer, MailNotSent, type Mail } from '../src/mail/send.ts';
import { refusedMail, registrationMail } from '../src/mail/templates/registration.ts';
import type { Services } from '../src/process/services.ts';
import type { Handler } from './handler.ts';

/**
 * Greets who registered a business; the mail holds no key. The token of the link in it is made here, for this try
 * alone, and is stored nowhere.
 */
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
  const proofId = await findProofOf(services.pool, businessId);
  const proof = proofId === null ? null : await prepareProofMail(services.pool, proofId);
  const content = registrationMail({ businessName, baseUrl, docsUrl: `${baseUrl}/docs`, proof });
  // The ids name the mail, so one that is sent again after a crash is the same mail.
  const mail = { ...content, to, messageId: `registration.${businessId}.${userId}` };
  await send(services, { smtpUrl, from }, mail, about);
};

/**
 * Mails a refused registrant the link by which they prove the address. Nothing is sent where the claim in their way was
 * proven meanwhile.
 */
export const sendProofMail: Handler<'send_proof_mail'> = async ({ requestId }, services) => {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: baseUrl } = services.config;
  const about = { registration_proof_id: requestId };
  if (smtpUrl === null) {
    services.log.debug(about, 'no mail to a refused registrant: SMTP_URL is not set');
    return;
  }
  const prepared = await prepareProofMail(services.pool, requestId);
  if (prepared === null || prepared.kind === 'registered') {
    services.log.debug(about, 'no mail to a refused registrant: there is nothing to prove');
    return;
  }
  const { kind: claimed, askedCompanyName, sendTo: to, token, expiresAt } = prepared;
  const businessName = askedCompanyName ?? '';
  const content = refusedMail({ businessName, claimed, baseUrl, token, expiresAt });
  await send(
    services,
    { smtpUrl, from },
    { ...content, to, messageId: `proof.${requestId}` },
    about,
  );
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
