import type { Allowance } from '../src/access/admission/admission.ts';
import type { LimitState } from '../src/access/rate-limit/limit.ts';
import { unauthorized, type Refusal } from '../src/access/refusal.ts';
import { isOperator, type Caller, type OperatorScope, type Scope } from '../src/access/scope.ts';
import type { TransitionFeed } from '../src/domain/payout/live/feed.ts';
import type { ScopedPrisma } from '../src/db/prisma.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import type { Call, OperatorCall, Services } from '../src/process/services.ts';

/** What a subscription needs beside the rest. */
export interface Live {
  readonly feed: TransitionFeed;
  /** The last id that its reader has seen, where the request has it beside the document. */
  readonly lastId: string | null;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

/**
 * What resolvers get. It lives as long as one operation, and so do its loaders. It is a class because
 * its getters must not be copied: an operation that needs no tenant (registration) may run without
 * one, and any other operation is refused when it first uses the tenant.
 */
export class Context {
  readonly services: Services;
  readonly requestId: string;
  /** The client's network address; null for calls from within. */
  readonly clientAddress: string | null;
  /** Null when the caller showed no valid key of a business. */
  readonly scope: Scope | null;
  /** Null when the caller showed no valid key of an operator. */
  readonly operator: OperatorScope | null;
  /** Why there is neither. */
  readonly refusal: Refusal;
  /** The operation is one of our own documents, whose cost does not depend on the caller. */
  readonly ownDocument: boolean;
  /** Tells the HTTP layer of a limit that the operation met, for the headers of its answer. */
  readonly reportLimit: (limit: LimitState) => void;
  /** What the request may use of the process; null for calls from within. */
  readonly allowance: Allowance | null;
  /** For a subscription; null for what has one answer. */
  readonly live: Live | null;

  constructor(
    services: Services,
    caller: Caller | null,
    request: {
      readonly id: string;
      readonly clientAddress: string | null;
      readonly refusal?: Refusal;
      readonly reportLimit?: (limit: LimitState) => void;
      readonly ownDocument?: boolean;
      readonly allowance?: Allowance | null;
      readonly live?: Live | null;
    },
  ) {
    this.live = request.live ?? null;
    this.allowance = request.allowance ?? null;
    // The caller's connections are those of its share.
    this.services = this.allowance?.services ?? services;
    this.scope = caller === null || isOperator(caller) ? null : caller;
    this.operator = caller !== null && isOperator(caller) ? caller : null;
    this.requestId = request.id;
    this.clientAddress = request.clientAddress;
    this.refusal = request.refusal ?? 'missing';
    this.ownDocument = request.ownDocument ?? false;
    this.reportLimit = request.reportLimit ?? (() => {});
  }

  /**
   * What a domain function is called with. Throws `unauthorized` without a valid key, and `forbidden`
   * for an operator's key, which opens no business.
   */
  get call(): Call {
    if (this.scope === null) throw this.refused(this.operator);
    const { services, scope, allowance } = this;
    return { services, scope, ...(allowance === null ? {} : { allowance }) };
  }

  /**
   * What an operator's command is called with. Throws `unauthorized` without a valid key, `forbidden`
   * for a business's.
   */
  get operatorCall(): OperatorCall {
    if (this.operator === null) throw this.refused(this.scope);
    return { services: this.services, operator: this.operator };
  }

  /** A caller of the other kind may not do this; nobody has to show a key first. */
  private refused(other: Caller | null): DomainError {
    if (other === null) return unauthorized(this.refusal);
    return new DomainError('forbidden', {
      message: isOperator(other)
        ? 'This is of a business, whose credential it needs; the caller is an operator of the platform.'
        : 'This is for operators of the platform; the caller is a member of a business.',
    });
  }

  /** Reads of the caller's tenant. Throws as `call`. */
  get prisma(): ScopedPrisma {
    return this.services.scopedPrisma(this.call.scope);
  }
}
