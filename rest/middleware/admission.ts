import type { RequestHandler, Response } from 'express';
import {
  Allowance,
  holderOfAddress,
  providersHolder,
  turnedAway,
  type createAdmission,
  type Held,
} from '../../src/access/admission/admission.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { addressGroup } from '../../src/net/client-address.ts';
import { facts } from '../route/handler.ts';

type Admission = ReturnType<typeof createAdmission>;

const heldByClient = (admission: Admission, response: Response): Held =>
  admission(holderOfAddress(addressGroup(facts(response).clientAddress)));

/** Counts what a request is beyond one, and says in the headers what is then left. */
function spendOf(response: Response) {
  const { countMore, reportLimit } = facts(response);
  if (countMore === null) return null;
  return async (units: number): Promise<void> => {
    const limit = await countMore(units);
    reportLimit(limit);
    if (!limit.refused) return;
    throw new DomainError('RATE_LIMITED', {
      message: `This call counts as ${units + 1} requests; ${limit.remaining + 1} of ${limit.quota} are left.`,
    });
  };
}

/**
 * Lets a request in as one of its caller's, who has so many places in this process; another waits a
 * moment for one. Throws too_many_requests.
 */
export function createAdmit(admission: Admission): RequestHandler {
  return async (request, response, next) => {
    const { holder } = facts(response);
    const held = holder === null ? heldByClient(admission, response) : admission(holder);
    const bytes = Number(request.headers['content-length'] ?? 0);
    // Not even read, where it could not wait for its turn.
    if (bytes > held.services.config.LARGE_BODY_BYTES && held.bulks.full) throw turnedAway();
    const entered = held.requests.enter();
    if (entered !== true && !(await entered)) throw turnedAway();
    const allowance = new Allowance(held, spendOf(response), held.requests);
    facts(response).allowance = allowance;
    if (response.closed) allowance.drop();
    else response.once('close', () => allowance.drop());
    next();
  };
}

/** The share of a payee's pages in the pool: that of other callers without a key. */
export function createPayeeShare(admission: Admission): RequestHandler {
  return (_request, response, next) => {
    facts(response).allowance = new Allowance(heldByClient(admission, response), null, null);
    next();
  };
}

/** The share of the providers' events in the pool. */
export function createProviderShare(admission: Admission): RequestHandler {
  return (_request, response, next) => {
    facts(response).allowance = new Allowance(admission(providersHolder), null, null);
    next();
  };
}
