import type { LinkClient } from '../../access/rate-limit/collection.ts';
import { invalid } from '../../errors/domain-error.ts';
import { openDraft, storeDraft } from './draft.ts';
import { notLive, requireForm, toForm, type CollectionForm } from './form.ts';
import type { CollectionInput } from './input.ts';
import { readForm, type CollectionScope } from './request.ts';
import { mergeDraft, parseGiven } from './validate-input.ts';

/** A try fails only when another save came between. Five in a row point to a fault. */
const maxTries = 5;

/**
 * Keeps what a payee gives, encrypted, until it is submitted. The token is the credential. Only what
 * is given is judged; the identity is merged by field, an address and a bank account are replaced as
 * a whole. A tax document is not kept half-way: it comes with the submit. Throws validation_failed,
 * not_found for an unknown token, conflict for a link that is not live, too_many_requests.
 */
export async function saveCollection(
  client: LinkClient,
  token: string,
  given: CollectionInput,
): Promise<CollectionForm> {
  const { call, requestId } = await requireForm(client, token);
  for (let tries = 1; ; tries += 1) {
    const row = await readForm(call, requestId);
    if (row.state !== 'live' || tries > maxTries) throw notLive(row.state);
    const { beneficiaryType } = row;
    const asked = { scope: row.scope as CollectionScope, beneficiaryType };
    const input = parseGiven(call.services.config, asked, given);
    if (input.taxDocument !== undefined) throw notSaved();
    const draft = mergeDraft(openDraft(call, requestId, row.draft), input);
    if (await storeDraft(call, requestId, draft, row.draft)) {
      return toForm(call, await readForm(call, requestId));
    }
  }
}

function notSaved() {
  const message = 'A tax document is sent with the submit.';
  return invalid([{ field: 'taxDocument', code: 'not_saved', message }]);
}
