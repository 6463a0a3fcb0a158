/** Who did something, where it was no member with a name. */
export const authorTexts = {
  you: (name: string) => `${name} (you)`,
  types: {
    system: 'The service',
    operator: 'An operator of the platform',
    payee: 'The payee',
    invitee: 'The invited person',
    provider: 'The provider',
    member: 'A member',
  } as Readonly<Record<string, string>>,
};
