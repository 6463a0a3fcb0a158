import type { Texts } from './texts/texts.gen.ts';

/** What can be wrong with a request itself, by the page that tells of it. */
export type FailureKind = Exclude<keyof Texts['failure'], 'reference'>;

const statuses = {
  notFound: 404,
  noPage: 404,
  tooMany: 429,
  tooLarge: 413,
  badRequest: 400,
  foreign: 403,
  busy: 503,
  away: 503,
  ours: 500,
  method: 405,
} as const satisfies Record<FailureKind, number>;

/** A request that ends in a page of its own, and the status of that page. */
export class PageFailure extends Error {
  override readonly name = 'PageFailure';
  readonly kind: FailureKind;
  readonly status: number;

  constructor(kind: FailureKind, status: number = statuses[kind]) {
    super(`collection page: ${kind}`);
    this.kind = kind;
    this.status = status;
  }
}
