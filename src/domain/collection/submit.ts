import type { PoolClient } from 'pg';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { LinkClient } from '../../access/rate-limit/collection.ts';
import { inTransaction } from '../../db/pool.ts';
import { invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { toBankDetails } from '../bank-account/input.ts';
import { newBankAccount } from '../bank-account/register.ts';
import { accountHash } from '../bank-account/same.ts';
import { insertBankAccount, tooManyAccounts } from '../bank-account/store.ts';
import { checkBankDetails } from '../bank-account/validate.ts';
import { lockBeneficiary } from '../beneficiary/store.ts';
import { changeLockedBeneficiary } from '../beneficiary/update.ts';
import { openDraft, type Draft } from './draft.ts';
import { notLive, requireForm, toForm, type CollectionForm } from './form.ts';
import type { CollectionInput } from './input.ts';
import { readForm, type CollectionScope, type FormRow } from './request.ts';
import { closeSubmitted, lockRequest, recordSubmission } from './submit-store.ts';
import { insertTaxDocument } from './tax-document-store.ts';
import { mergeDraft, missingFields, parseGiven, type ParsedDocument } from './validate-input.ts';

/**
 * Takes what a payee gave, in one transaction: the beneficiary is changed by the rules of PUT, the
 * bank account is registered unless it exists, the tax document is stored, and the link is used up.
 * What this call gives overrides the draft. Of several calls at once one wins. Throws
 * validation_failed naming every field that is wrong or missing, not_found for an unknown token,
 * conflict for a link that is not live, too_many_requests; unprocessable_entity for one account more
 * than a beneficiary may have.
 */
export async function submitCollection(
  client: LinkClient,
  token: string,
  given: CollectionInput | null,
): Promise<CollectionForm> {
  const { call, requestId } = await requireForm(client, token);
  const form = await readForm(call, requestId);
  if (form.state !== 'live') throw notLive(form.state);
  const asked = { scope: form.scope as CollectionScope, beneficiaryType: form.beneficiaryType };
  const input = parseGiven(call.services.config, asked, given);
  await accountHash(call);
  await inTransaction(call.services.pool, async (connection) => {
    const owner = await lockBeneficiary(connection, call.scope, form.beneficiaryId);
    const request = await lockRequest(connection, call.scope, requestId);
    // The payee was deleted after the form was read.
    if (owner === null || request === null) throw notLive('canceled');
    // A call that waited for the lock sees here what the first one wrote. An archived owner has no
    // live request.
    if (request.state !== 'live') throw notLive(request.state);
    const draft = mergeDraft(openDraft(call, requestId, request.draft), input);
    const missing = missingFields(asked, draft, input.taxDocument);
    if (missing.length > 0) throw invalid(missing);
    await store(connection, call, owner, form, { draft, taxDocument: input.taxDocument });
    await closeSubmitted(connection, call.scope, requestId);
  });
  return toForm(call, await readForm(call, requestId));
}

interface Submitted {
  readonly draft: Draft;
  readonly taxDocument: ParsedDocument | undefined;
}

async function store(
  connection: PoolClient,
  call: Call,
  owner: Beneficiary,
  form: FormRow,
  { draft, taxDocument }: Submitted,
): Promise<void> {
  if (draft.identity !== undefined && form.scope === 'full_onboarding') {
    await changeLockedBeneficiary(connection, call, owner, draft.identity);
    await recordSubmission(connection, call.scope, owner.id);
  }
  if (draft.bankAccount !== undefined) {
    await registerUnlessKnown(connection, call, owner.id, draft.bankAccount);
  }
  if (taxDocument !== undefined) {
    const { taxId, formType, file } = taxDocument;
    await changeLockedBeneficiary(connection, call, owner, { taxId });
    const document = { beneficiaryId: owner.id, requestId: form.id, formType, file };
    await insertTaxDocument(connection, call, document);
  }
}

/** An account that the payee gives a second time stays as it is. The owner is locked. */
async function registerUnlessKnown(
  connection: PoolClient,
  call: Call,
  ownerId: string,
  given: NonNullable<Draft['bankAccount']>,
): Promise<void> {
  const details = checkBankDetails(toBankDetails(given));
  const account = newBankAccount(call, ownerId, details, await accountHash(call));
  const registered = await insertBankAccount(connection, call, account);
  // An archived beneficiary has no live request.
  if (registered === null) throw tooManyAccounts(call);
}
