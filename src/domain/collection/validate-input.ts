import type { z } from 'zod';
import type { Config } from '../../process/config.ts';
import { DomainError, invalid, type FieldError } from '../../errors/domain-error.ts';
import { fieldErrors } from '../../values/field-errors.ts';
import { corridorRequirements } from '../bank-account/corridors.ts';
import { bankAccountDetails, toBankDetails } from '../bank-account/input.ts';
import { unusableReason } from '../bank-account/usability.ts';
import { checkBankDetails } from '../bank-account/validate.ts';
import {
  fieldsOfOtherType,
  missingIdentityFields,
  type BeneficiaryType,
} from '../beneficiary/identity.ts';
import { documentFault } from './document.ts';
import type { Draft } from './draft.ts';
import { identityInput, taxDocumentInput, type CollectionInput } from './input.ts';
import type { CollectionScope } from './request.ts';

type FormPart = 'identity' | 'bankAccount' | 'taxDocument';

/** What each scope asks for. */
const partsOfScope: Readonly<Record<CollectionScope, readonly FormPart[]>> = {
  full_onboarding: ['identity', 'bankAccount'],
  bank_details: ['bankAccount'],
  tax_documents: ['taxDocument'],
};

/** Of which request the input is judged. */
export interface AskedParts {
  readonly scope: CollectionScope;
  readonly beneficiaryType: BeneficiaryType;
}

const required = 'This field is required.';

/** A form sends every field that it shows; one that was left empty was not given. */
function blankToNull(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, blankToNull(item)]));
}

function below(part: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({
    ...error,
    field: error.field === '' ? part : `${part}.${error.field}`,
  }));
}

/** Parses one part; what is wrong with it goes to `errors`, and nothing comes back. */
function parsePart<T extends z.ZodType>(
  schema: T,
  part: FormPart,
  value: unknown,
  errors: FieldError[],
): z.output<T> | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const found = fieldErrors(parsed.error, value).map((error) =>
    // A required field that was left empty is missing, and not of a wrong type.
    isNullAt(value, error.field) ? { ...error, code: 'required', message: required } : error,
  );
  errors.push(...below(part, found));
  return undefined;
}

function isNullAt(value: unknown, path: string): boolean {
  let at: unknown = value;
  for (const key of path.split('.')) {
    if (at === null || typeof at !== 'object') return false;
    at = Reflect.get(at, key);
  }
  return at === null;
}

type Identity = NonNullable<Draft['identity']>;

function identityOf(value: object, asked: AskedParts, errors: FieldError[]): Identity | undefined {
  const identity = parsePart(identityInput, 'identity', value, errors);
  if (identity === undefined) return undefined;
  const { beneficiaryType } = asked;
  const message = `Not a field of a ${beneficiaryType}.`;
  for (const field of fieldsOfOtherType({ ...identity, beneficiaryType })) {
    errors.push({ field: `identity.${field}`, code: 'not_of_type', message });
  }
  for (const field of missingIdentityFields({ ...identity, beneficiaryType })) {
    if (identity[field] === null)
      errors.push({ field: `identity.${field}`, code: 'required', message: required });
  }
  if (identity.postalAddress === null) errors.push(...missingAddress());
  return identity;
}

function missingAddress(): FieldError[] {
  return ['line1', 'city', 'country'].map((field) => ({
    field: `identity.postalAddress.${field}`,
    code: 'required',
    message: required,
  }));
}

/** The fields of the way to name an account that the country prefers, each of which is missing. */
function missingRoute(country: string): FieldError[] {
  const [preferred] = corridorRequirements(country).options;
  return (preferred?.fields ?? []).map(({ field, description }) => ({
    field,
    code: 'required',
    message: `Required: ${description}.`,
  }));
}

/** What an account is before anybody verified it or the rail saw it. */
const newlyGiven = { status: 'pending_verification', railRejectionReason: null };

function bankAccountOf(value: object, errors: FieldError[]): Draft['bankAccount'] {
  const account = parsePart(bankAccountDetails, 'bankAccount', value, errors);
  if (account === undefined) return undefined;
  try {
    const { validationStatus } = checkBankDetails(toBankDetails(account));
    const reason = unusableReason({ ...newlyGiven, country: account.country, validationStatus });
    // The payee is here and can give it; afterwards the business would have to ask again.
    if (reason?.code === 'iban_required') {
      errors.push({
        field: 'bankAccount.iban',
        code: reason.code,
        message: `Accounts in ${account.country} are paid by their IBAN; give it.`,
      });
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const details = error.details.length > 0 ? error.details : missingRoute(account.country);
    errors.push(...below('bankAccount', details));
  }
  return account;
}

/** A tax document whose file was judged. */
export interface ParsedDocument extends z.output<typeof taxDocumentInput> {
  readonly file: Uint8Array;
}

function documentOf(
  value: object,
  megabytes: number,
  errors: FieldError[],
): ParsedDocument | undefined {
  const parsed = parsePart(taxDocumentInput, 'taxDocument', value, errors);
  const file = 'file' in value && value.file instanceof Uint8Array ? value.file : null;
  const fault = documentFault(file, megabytes);
  if (fault !== null) errors.push({ field: 'taxDocument.file', ...fault });
  return parsed === undefined || file === null ? undefined : { ...parsed, file };
}

/** Validated input; a null field is to be removed from what was given before. */
export interface ParsedInput {
  readonly identity?: Identity | undefined;
  readonly bankAccount?: Draft['bankAccount'];
  readonly taxDocument?: ParsedDocument | undefined;
}

/**
 * Judges what is given, part by part, as the API would judge it; what is not given is not missed.
 * Throws validation_failed with every fault, the path of its field beginning with the part's name.
 */
export function parseGiven(
  { TAX_DOCUMENT_MAX_MB }: Config,
  asked: AskedParts,
  given: CollectionInput | null | undefined,
): ParsedInput {
  const errors: FieldError[] = [];
  const { identity, bankAccount, taxDocument } = (blankToNull(given) ?? {}) as CollectionInput;
  for (const [part, value] of Object.entries({ identity, bankAccount, taxDocument })) {
    const wanted = (partsOfScope[asked.scope] as readonly string[]).includes(part);
    if (wanted || value === undefined || value === null) continue;
    errors.push({ field: part, code: 'not_asked', message: 'This link does not ask for it.' });
  }
  if (errors.length > 0) throw invalid(errors);
  const parsed: ParsedInput = {
    identity: identity ? identityOf(identity, asked, errors) : undefined,
    bankAccount: bankAccount ? bankAccountOf(bankAccount, errors) : undefined,
    taxDocument: taxDocument ? documentOf(taxDocument, TAX_DOCUMENT_MAX_MB, errors) : undefined,
  };
  if (errors.length > 0) throw invalid(errors);
  return parsed;
}

function withoutNulls<T extends object>(value: T): T {
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(entries) as T; // its own fields, without those that may be absent
}

/** The draft with the new input: the identity merged by field, the rest replaced as a whole. */
export function mergeDraft(before: Draft, { identity, bankAccount }: ParsedInput): Draft {
  const merged = withoutNulls({ ...before.identity, ...identity });
  return {
    ...(Object.keys(merged).length === 0 ? {} : { identity: merged }),
    ...withoutNulls({ bankAccount: bankAccount ?? before.bankAccount }),
  };
}

/** What a request needs and a draft and a document lack, in the order of the form. */
export function missingFields(
  { scope, beneficiaryType }: AskedParts,
  draft: Draft,
  taxDocument: ParsedDocument | undefined,
): FieldError[] {
  const wanted = partsOfScope[scope];
  const missing: FieldError[] = [];
  if (wanted.includes('identity')) {
    const identity = draft.identity ?? {};
    for (const field of missingIdentityFields({ ...identity, beneficiaryType })) {
      missing.push({ field: `identity.${field}`, code: 'required', message: required });
    }
    if (identity.postalAddress === undefined) missing.push(...missingAddress());
  }
  for (const [part, value] of Object.entries({ bankAccount: draft.bankAccount, taxDocument })) {
    if ((wanted as readonly string[]).includes(part) && value === undefined) {
      missing.push({ field: part, code: 'required', message: required });
    }
  }
  return missing;
}
