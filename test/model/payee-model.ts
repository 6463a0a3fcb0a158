/**
 * What payees should do, written down a second time from docs/interface.md, with nothing of the service
 * in it. Payees, accounts and enrollments are known by their place in a list.
 */
export type Compliance = 'pending' | 'compliant' | 'suspended';
export type Standing = 'active' | 'suspended' | 'closed';
export type EnrollmentStatus = 'pending' | 'verified' | 'rejected' | 'suspended' | 'closed';

export interface Enrollment {
  account: number;
  version: number;
  status: EnrollmentStatus;
  standing: Standing | null;
  standingAt: number | null;
}

export interface Account {
  version: number;
  verified: boolean;
  validated: boolean;
  rejection: string | null;
}

export interface Fields {
  /** Two addresses that are the same to the service have one number. */
  email: number;
  /** The number of the address as it was written; absent where it is that of `email`. */
  writtenEmail?: number;
  phone: string | null;
  nickname: string | null;
  firstName: string;
  dateOfBirth: string | null;
  taxId: string | null;
  postalAddress: string | null;
}

export type LinkScope = 'full_onboarding' | 'bank_details';
type LinkEnd = 'superseded' | 'canceled' | 'expired';

export interface Link {
  scope: LinkScope;
  status: 'live' | LinkEnd;
}

export interface Payee {
  fields: Fields;
  compliance: Compliance;
  beforeSuspension: 'pending' | 'compliant' | null;
  suspendedBy: 'operator' | 'provider' | null;
  acknowledged: boolean;
  reacknowledge: boolean;
  archived: boolean;
  accounts: Account[];
  enrollments: Enrollment[];
  /** From the first; one is live at most. */
  links: Link[];
  enrollmentStatus: EnrollmentStatus | null;
  enrolledAccount: number | null;
  /** `kind: from → to`, from the first. */
  history: string[];
}

export interface Model {
  payees: Payee[];
}

export type Command =
  | { kind: 'create'; fields: Fields; acknowledged: boolean; bankDetails: boolean }
  | { kind: 'update'; payee: number; change: Partial<Fields> }
  | { kind: 'acknowledge' | 'archive'; payee: number }
  | { kind: 'suspend' | 'reinstate'; payee: number; by: 'operator' | 'provider' }
  | { kind: 'register'; payee: number; validated: boolean }
  | { kind: 'replace'; payee: number; account: number; validated: boolean }
  | { kind: 'enroll'; payee: number; account: number }
  | { kind: 'outcome'; payee: number; accepted: boolean }
  | { kind: 'invite'; payee: number; scope: LinkScope }
  | { kind: 'cancelLink' | 'expireLink'; payee: number; link: number }
  | {
      kind: 'standing';
      payee: number;
      enrollment: number;
      event: 'suspended' | 'reinstated' | 'closed';
      at: number;
    };

/** The command's error code, or null when it is accepted. */
type Outcome = string | null;

const triggers = ['firstName', 'dateOfBirth', 'taxId', 'postalAddress'] as const;

export const railMessage = 'The bank refused the account.';

function taken(model: Model, email: number, except: Payee | null): boolean {
  return model.payees.some((one) => one !== except && !one.archived && one.fields.email === email);
}

function record(payee: Payee, kind: string, from: string, to: string): void {
  payee.history.push(`${kind}: ${from} → ${to}`);
}

function verifyAccounts(payee: Payee): void {
  for (const account of payee.accounts) account.verified = true;
}

function newAccount(payee: Payee, validated: boolean): Account {
  const verified = payee.compliance === 'compliant';
  return { version: 1, verified, validated, rejection: null };
}

function create(model: Model, command: Command & { kind: 'create' }): Outcome {
  const { fields, acknowledged } = command;
  if (acknowledged && fields.dateOfBirth === null) return 'BENEFICIARY_IDENTITY_INCOMPLETE';
  if (taken(model, fields.email, null)) return 'BENEFICIARY_EMAIL_ALREADY_EXISTS';
  const compliance = acknowledged ? 'compliant' : 'pending';
  const payee: Payee = {
    fields: { ...fields },
    compliance,
    beforeSuspension: null,
    suspendedBy: null,
    acknowledged,
    reacknowledge: false,
    archived: false,
    accounts: [],
    enrollments: [],
    links: [],
    enrollmentStatus: null,
    enrolledAccount: null,
    history: [],
  };
  record(payee, 'registered', 'new', compliance);
  if (command.bankDetails) payee.accounts.push(newAccount(payee, true));
  model.payees.push(payee);
  return null;
}

function update(model: Model, payee: Payee, change: Partial<Fields>): Outcome {
  if (payee.archived) return 'BENEFICIARY_ARCHIVED';
  const after = { ...payee.fields, ...change };
  if (after.email !== payee.fields.email && taken(model, after.email, payee)) {
    return 'BENEFICIARY_EMAIL_ALREADY_EXISTS';
  }
  const differs = (field: keyof Fields): boolean => after[field] !== payee.fields[field];
  const asks = triggers.some(differs) && payee.acknowledged && !payee.reacknowledge;
  const changed = Object.keys(after).some((field) => differs(field as keyof Fields));
  payee.fields = after;
  payee.reacknowledge ||= asks;
  if (changed) {
    const kind = asks ? 'reacknowledgment_required' : 'updated';
    record(payee, kind, payee.compliance, payee.compliance);
  }
  return null;
}

function acknowledge(payee: Payee): Outcome {
  if (payee.archived) return 'BENEFICIARY_ARCHIVED';
  if (payee.compliance === 'suspended') return 'conflict';
  if (payee.compliance === 'compliant' && !payee.reacknowledge) return null;
  if (payee.fields.dateOfBirth === null) return 'BENEFICIARY_IDENTITY_INCOMPLETE';
  record(payee, 'acknowledged', payee.compliance, 'compliant');
  Object.assign(payee, { compliance: 'compliant', acknowledged: true, reacknowledge: false });
  verifyAccounts(payee);
  return null;
}

const liveLink = (payee: Payee): Link | undefined =>
  payee.links.find(({ status }) => status === 'live');

/** Only a link that collects the identity leaves a record. */
function endLink(payee: Payee, link: Link | undefined, as: LinkEnd): void {
  if (link?.status !== 'live') return;
  link.status = as;
  if (link.scope !== 'full_onboarding') return;
  const kind = as === 'expired' ? 'invite_expired' : 'invite_canceled';
  record(payee, kind, payee.compliance, payee.compliance);
}

function invite(payee: Payee, scope: LinkScope): Outcome {
  if (payee.archived) return 'BENEFICIARY_ARCHIVED';
  const former = liveLink(payee);
  if (scope === 'full_onboarding') {
    // One record for both: the invitation tells that the link before it is over.
    if (former !== undefined) former.status = 'superseded';
    record(payee, 'invited', payee.compliance, payee.compliance);
  } else {
    endLink(payee, former, 'superseded');
  }
  payee.links.push({ scope, status: 'live' });
  return null;
}

function cancelLink(payee: Payee, link: Link | undefined): Outcome {
  if (link === undefined) return 'not_found';
  endLink(payee, link, 'canceled');
  return null;
}

/** Nobody submits in this model, so a payee without such a link was not invited. */
export function collectionStatusOf(payee: Payee): string {
  return liveLink(payee)?.scope === 'full_onboarding' ? 'invited' : 'not_invited';
}

function archive(payee: Payee): Outcome {
  if (payee.archived) return null;
  endLink(payee, liveLink(payee), 'canceled');
  record(payee, 'archived', payee.compliance, 'archived');
  payee.archived = true;
  return null;
}

function suspend(payee: Payee, by: 'operator' | 'provider'): Outcome {
  if (payee.compliance === 'suspended') return null;
  record(payee, 'suspended', payee.compliance, 'suspended');
  payee.beforeSuspension = payee.compliance;
  payee.suspendedBy = by;
  payee.compliance = 'suspended';
  return null;
}

function reinstate(payee: Payee, by: 'operator' | 'provider'): Outcome {
  if (payee.beforeSuspension === null) return null;
  if (by === 'provider' && payee.suspendedBy !== 'provider') return null;
  record(payee, 'reinstated', 'suspended', payee.beforeSuspension);
  payee.compliance = payee.beforeSuspension;
  Object.assign(payee, { beforeSuspension: null, suspendedBy: null });
  if (payee.compliance === 'compliant') verifyAccounts(payee);
  return null;
}

function register(payee: Payee, validated: boolean): Outcome {
  if (payee.archived) return 'BENEFICIARY_ARCHIVED';
  payee.accounts.push(newAccount(payee, validated));
  return null;
}

function replace(payee: Payee, account: Account | undefined, validated: boolean): Outcome {
  if (payee.archived) return 'BENEFICIARY_ARCHIVED';
  if (account === undefined) return 'BANK_ACCOUNT_NOT_FOUND';
  // The world has one set of details that validate and one that do not: the same ones are no version.
  const version = account.version + (account.validated === validated ? 0 : 1);
  Object.assign(account, { version, validated, rejection: null });
  return null;
}

function enroll(payee: Payee, place: number): Outcome {
  const account = payee.accounts[place];
  if (payee.archived) return 'BENEFICIARY_ARCHIVED';
  if (payee.compliance !== 'compliant') return 'BENEFICIARY_NOT_COMPLIANT';
  if (account === undefined) return 'BANK_ACCOUNT_NOT_FOUND';
  if (!account.verified || !account.validated) return 'BANK_ACCOUNT_NOT_PAYOUT_USABLE';
  const { version } = account;
  const latest = payee.enrollments.findLast(
    (one) => one.account === place && one.version === version,
  );
  if (latest?.status === 'pending') return null;
  if (payee.enrollments.some((one) => one.status === 'pending')) return 'conflict';
  if (latest?.status === 'verified') {
    Object.assign(payee, { enrollmentStatus: 'verified', enrolledAccount: place });
    return null;
  }
  const fresh = { status: 'pending', standing: null, standingAt: null } as const;
  payee.enrollments.push({ account: place, version, ...fresh });
  payee.enrollmentStatus = 'pending';
  return null;
}

/** The provider's answer to the enrollment under way, if there is one. */
function outcome(payee: Payee, accepted: boolean): Outcome {
  const enrollment = payee.enrollments.find((one) => one.status === 'pending');
  if (enrollment === undefined) return null;
  const { standing } = enrollment;
  const held = standing === 'suspended' || standing === 'closed' ? standing : 'verified';
  enrollment.status = accepted ? held : 'rejected';
  payee.enrollmentStatus = enrollment.status;
  payee.enrolledAccount = accepted ? enrollment.account : null;
  const account = payee.accounts[enrollment.account];
  if (account?.version === enrollment.version) account.rejection = accepted ? null : railMessage;
  return null;
}

function standing(payee: Payee, command: Command & { kind: 'standing' }): Outcome {
  const { event, at } = command;
  const told = payee.enrollments[command.enrollment];
  if (told === undefined || told.status === 'rejected' || told.standing === 'closed') return null;
  const stricter = told.standingAt === at && told.standing === 'active' && event === 'suspended';
  const newer = told.standingAt === null || told.standingAt < at;
  if (event !== 'closed' && !newer && !stricter) return null;
  told.standing = event === 'reinstated' ? 'active' : event;
  told.standingAt = at;
  if (told.status !== 'pending') {
    told.status = told.standing === 'active' ? 'verified' : told.standing;
  }
  const replaced = payee.enrollments.some(
    (one, place) =>
      place > command.enrollment && one.account === told.account && one.status !== 'rejected',
  );
  const tellsOfIt = payee.enrolledAccount === told.account && payee.enrollmentStatus !== 'pending';
  if (told.status !== 'pending' && tellsOfIt && !replaced) payee.enrollmentStatus = told.status;
  if (event === 'suspended') return suspend(payee, 'provider');
  const heldElsewhere = payee.enrollments.some(
    (one) => one !== told && one.standing === 'suspended',
  );
  return heldElsewhere ? null : reinstate(payee, 'provider');
}

/** Applies a command to the model; a refused one changes nothing. */
export function apply(model: Model, command: Command): Outcome {
  if (command.kind === 'create') return create(model, command);
  const payee = model.payees[command.payee];
  if (payee === undefined) throw new RangeError('no such payee');
  switch (command.kind) {
    case 'update':
      return update(model, payee, command.change);
    case 'acknowledge':
      return acknowledge(payee);
    case 'archive':
      return archive(payee);
    case 'suspend':
      return suspend(payee, command.by);
    case 'reinstate':
      return reinstate(payee, command.by);
    case 'register':
      return register(payee, command.validated);
    case 'replace':
      return replace(payee, payee.accounts[command.account], command.validated);
    case 'enroll':
      return enroll(payee, command.account);
    case 'outcome':
      return outcome(payee, command.accepted);
    case 'standing':
      return standing(payee, command);
    case 'invite':
      return invite(payee, command.scope);
    case 'cancelLink':
      return cancelLink(payee, payee.links[command.link]);
    case 'expireLink':
      endLink(payee, payee.links[command.link], 'expired');
      return null;
  }
}

/** The status that is shown: the first that holds. */
export function chipOf(payee: Payee): string {
  if (payee.compliance === 'suspended') return 'suspended';
  if (payee.reacknowledge) return 'reacknowledgment_required';
  const complete = payee.fields.dateOfBirth !== null;
  if (payee.compliance === 'pending') return complete ? 'pending_kyc' : 'pending_details';
  const usable = payee.accounts.some((one) => one.verified && one.validated && !one.rejection);
  const stopped = ['rejected', 'suspended', 'closed'].includes(payee.enrollmentStatus ?? '');
  return usable && !stopped ? 'ready' : 'action_required';
}
