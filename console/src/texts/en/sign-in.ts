/** Ends a sentence whose last word is a name: that of a company may bring its own full stop. */
const ended = (sentence: string): string => (sentence.endsWith('.') ? sentence : `${sentence}.`);

export const signInTexts = {
  title: 'Sign in',
  lead: 'For members of a business and for operators of this platform.',
  operator: {
    lead: 'You sign in as an operator of this platform.',
    choose: 'Sign in as an operator of this platform',
    leave: 'Sign in as a member of a business',
  },
  email: 'E-mail address',
  emailMissing: 'Enter the e-mail address that you were invited with.',
  send: 'Mail me a link',
  sent: {
    title: 'Look into your mail',
    text: (email: string) =>
      `If ${email} may sign in here, a link is on its way. It works once, for a few minutes.`,
    again: 'Use another address',
    another: 'Ask for another link',
  },
  or: 'or',
  passkey: 'Sign in with a passkey',
  oidc: 'Sign in with your company',
  company: {
    unavailable:
      'The sign-in of your company does not answer. Use a link by mail, or try again later.',
    too_many: 'Too many tries to sign in came from your network. Wait a minute, then try again.',
    not_begun:
      'The sign-in with your company took too long, or began in another window. Begin again.',
    not_confirmed: 'Your company did not confirm who you are.',
    other_domain: 'Your e-mail address is not of a company that may sign in here.',
    no_role: 'Your company gave you no role here. Ask who manages its groups.',
    other_identity:
      'Your e-mail address belonged to somebody else of your company here. Ask who manages the members to remove them and invite you.',
    no_member: 'You are not a member of a business here. Ask for an invitation.',
  },
  link: {
    lead: (email: string) => `This link signs you in once, as ${email}.`,
    at: (businesses: string) => ended(`It opens the console of ${businesses}`),
    joins: (business: string) => ended(`You accept the invitation of ${business}`),
    operator: 'It opens the pages of the operators of this platform.',
    notYou: 'If this is not your address, do not go on: somebody sent you their own link.',
    look: 'Look at the link',
    open: 'Sign in now',
    failed: 'This link does not work any more. Each works once and only for a few minutes.',
  },
  ended: 'Your session has ended. Sign in again to go on where you were.',
  again: {
    title: 'Your session has ended',
    text: (email: string) =>
      `What you saw and typed is kept behind this. Sign in again as ${email}, here or in another tab, then go on.`,
    elsewhere:
      'You are signed in again, for another business or environment. Going on leads you back to this one.',
    other: (now: string, before: string) =>
      `${now} is signed in now. What stands here is of ${before}, and nobody else goes on with it.`,
    nobody: 'Nobody is signed in yet. Use the link of the mail first, or another way.',
    leave: 'Leave what is here',
    goOn: 'Go on',
    resumed: 'You are signed in again. Everything is as you left it.',
  },
};
