import type { RequestHandler, Response } from 'express';
import {
  Allowance,
  holderOfAddress,
  holderOfUnknownKeys,
  providersHolder,
  turnedAway,
  type createAdmission,
  type AdmissionShare,
} from '../../src/access/admission/admission.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { addressGroup } from '../../src/net/client-address.ts';
import { facts } from '../route/handler.ts';

export type Admission = ReturnType<typeof createAdmission>;

const heldByClient = (admission: Admission, response: Response): AdmissionShare =>
  admission(holderOfAddress(addressGroup(facts(response).clientAddress)));

/** The connections by which keys are read that this process does not know. */
export const poolOfUnknownKeys = (admission: Admission, response: Response) =>
  admission(holderOfUnknownKeys(addressGroup(facts(response).clientAddress))).services.pool;

/** Counts what a call counts as beyond one request, and updates the rate limit headers. */
function spendOf(response: Response) {
  const { countMore, reportLimit } = facts(response);
  if (countMore === null) return null;
  return async (units: number): Promise<void> => {
    const limit = await countMore(units);
    // A stream goes on to count when its head has long been sent.
    if (!response.headersSent) reportLimit(limit);
    if (!limit.refused) return;
    throw new DomainError('RATE_LIMITED', {
      message: `This call counts as ${units + 1} requests; ${limit.remaining + 1} of ${limit.quota} are left.`,
    });
  };
}

/**
 * Admits a request within its caller's share of this process: it starts, waits briefly, or is
 * refused. Throws too_many_requests.
 */
export function createAdmit(admission: Admission): RequestHandler {
  return async (request, response, next) => {
    const { holder } = facts(response);
    const held = holder === null ? heldByClient(admission, response) : admission(holder);
    const bytes = Number(request.headers['content-length'] ?? 0);
    // A large body is not read when there is no place left to wait.
    if (bytes > held.services.config.LARGE_BODY_BYTES && held.bulks.full) throw turnedAway();
    const entered = held.requests.enter();
    if (entered !== true && !(await entered)) throw turnedAway();
    const allowance = new Allowance(held, spendOf(response), held.requests);
    facts(response).allowance = allowance;
    if (response.closed) allowance.drop();
    else response.once('close', () => allowance.drop());
    // Requests that need no statement, as refused documents, must share the event loop too.
    const turn = held.turn();
    if (turn !== undefined) await turn;
    next();
  };
}

/** Collection pages, and who signs in, share the database connections of callers without a key. */
export function createAddressShare(admission: Admission): RequestHandler {
  return (_request, response, next) => {
    facts(response).allowance = new Allowance(heldByClient(admission, response), null, null);
    next();
  };
}

/** Events of providers have a share of the database connections of their own. */
export function createProviderShare(admission: Admission): RequestHandler {
  return (_request, response, next) => {
    facts(response).allowance = new Allowance(admission(providersHolder), null, null);
    next();
  };
}
