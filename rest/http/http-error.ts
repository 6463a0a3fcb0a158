/**
 * A request that HTTP itself has a status for, though the catalogue has not: the code is
 * `bad_request` (decisions 1 for 413), the status says what was bad.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: 405 | 408 | 413 | 414 | 416;

  constructor(status: HttpError['status'], message: string) {
    super(message);
    this.status = status;
  }
}
