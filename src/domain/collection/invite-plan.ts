import type { z } from 'zod';
import { DomainError, invalid, notFound } from '../../errors/domain-error.ts';
import type { LanguageCode } from '../../reference/languages.ts';
import { emailKey } from '../../values/fields.ts';
import { isId, newId } from '../../values/ids.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import { parseInput } from '../../values/validate.ts';
import { requireLegalName, requireOwnFields } from '../beneficiary/content.ts';
import type { BeneficiaryType } from '../beneficiary/identity.ts';
import { inviteInput } from './invite-input.ts';
import type { Newcomer } from './invite-store.ts';
import type { CollectionScope } from './request.ts';

/** An invite that is well-formed: whom it names and what it asks for. */
export interface PlannedInvite {
  readonly index: number;
  readonly scope: CollectionScope;
  /** The language of the mail and of the form, where the row names one. */
  readonly language: LanguageCode | null;
  readonly names:
    | { readonly id: string }
    | {
        readonly emailKey: string;
        readonly beneficiaryType: BeneficiaryType;
        /** Who would be registered, or why nobody can be, where nobody has the address. */
        readonly newcomer: Newcomer | DomainError;
      };
}

export interface FailedInvite {
  readonly index: number;
  readonly error: DomainError;
}

/** A row that a surface refused by its shape, or null for one that could not be read at all. */
export type GivenInvite = object | null | undefined;

/** A row's field errors name the path from the request's root: `invites[3].email`. */
function atRow(list: string, index: number, error: DomainError): DomainError {
  if (error.details.length === 0) return error;
  return new DomainError(error.code, {
    message: error.message,
    details: error.details.map((detail) => ({
      ...detail,
      field: `${list}[${index}]${detail.field === '' ? '' : `.${detail.field}`}`,
    })),
  });
}

type Parsed = z.output<typeof inviteInput>;

function newcomerOf(input: Parsed, email: string, beneficiaryType: BeneficiaryType) {
  requireOwnFields({ ...input, beneficiaryType });
  try {
    requireLegalName({ ...input, beneficiaryType });
  } catch (error) {
    // It matters only if somebody has to be registered.
    if (error instanceof DomainError) return error;
    throw error;
  }
  return {
    id: newId('beneficiary'),
    beneficiaryType,
    email,
    emailKey: emailKey(email),
    nickname: input.nickname ?? null,
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    businessName: input.businessName ?? null,
  };
}

function namesOf(input: Parsed): PlannedInvite['names'] {
  const { beneficiaryId, email, beneficiaryType } = input;
  if (beneficiaryId !== null && beneficiaryId !== undefined) {
    if (!isId('beneficiary', beneficiaryId)) throw notFound('beneficiary');
    return { id: beneficiaryId };
  }
  // Without an id the schema asks for both.
  if (!email || !beneficiaryType) throw new Error('an invite names somebody');
  const newcomer = newcomerOf(input, email, beneficiaryType);
  return { emailKey: emailKey(email), beneficiaryType, newcomer };
}

/** The refusal of a row that names whom an earlier row of the same call names. */
export function repeated(list: string, { index, names }: PlannedInvite): DomainError {
  const field = `${list}[${index}].${'id' in names ? 'beneficiaryId' : 'email'}`;
  const message = 'An earlier row names the same beneficiary.';
  return invalid([{ field, code: 'duplicate', message }]);
}

/**
 * Checks the rows of a call one by one. A bad row does not stop the others, and of rows that name the
 * same id or address only the first is used.
 * @param list name of the list in the caller's input, for the fields of errors
 */
export async function planInvites(
  list: string,
  given: readonly GivenInvite[],
): Promise<{ readonly planned: PlannedInvite[]; readonly failed: FailedInvite[] }> {
  const planned: PlannedInvite[] = [];
  const failed: FailedInvite[] = [];
  const seen = new Set<string>();
  await mapInTurns(given, (row, index) => {
    try {
      if (row === null || row === undefined) throw malformedRow();
      const input = parseInput(inviteInput, row);
      const { scope, language } = input;
      const invite: PlannedInvite = {
        index,
        scope: scope ?? 'full_onboarding',
        language: language ?? null,
        names: namesOf(input),
      };
      const name = 'id' in invite.names ? invite.names.id : invite.names.emailKey;
      if (seen.has(name)) failed.push({ index, error: repeated(list, invite) });
      else planned.push(invite);
      seen.add(name);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      failed.push({ index, error: atRow(list, index, error) });
    }
  });
  return { planned, failed };
}

function malformedRow(): DomainError {
  return invalid([
    {
      field: '',
      code: 'invalid_row',
      message: 'The row is malformed, or has too many or few fields.',
    },
  ]);
}
