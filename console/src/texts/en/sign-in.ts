export const signInTexts = {
  title: 'Sign in',
  lead: 'For members of a business and for operators of this platform.',
  email: 'E-mail address',
  emailMissing: 'Enter the e-mail address that you were invited with.',
  send: 'Mail me a link',
  sent: {
    title: 'Look into your mail',
    text: (email: string) =>
      `If ${email} belongs to a member, a link is on its way. It works once, for a few minutes.`,
    again: 'Use another address',
  },
  or: 'or',
  passkey: 'Sign in with a passkey',
  oidc: 'Sign in with your company',
  link: {
    lead: 'The link of your mail is ready.',
    open: 'Sign in now',
    failed: 'This link does not work any more. Each works once and only for a few minutes.',
  },
  signedOut: 'You are signed out.',
  ended: 'Your session has ended. Sign in again to go on where you were.',
};
