/** Whether a support contact is a web page; else it is an e-mail address (`supportContact` in fields.ts). */
export const isPage = (contact: string): boolean => /^https:/i.test(contact);

/**
 * The address of a link to a support contact. An e-mail address may hold a question mark or an ampersand, which
 * would begin headers of the reader's mail, such as further recipients (RFC 6068, section 2).
 */
export function contactHref(contact: string): string {
  if (isPage(contact)) return contact;
  const at = contact.lastIndexOf('@');
  return `mailto:${encodeURIComponent(contact.slice(0, at))}@${encodeURIComponent(contact.slice(at + 1))}`;
}
