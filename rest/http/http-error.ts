/**
 * A request that is refused with a status of HTTP for which the catalogue has no code. Its code is
 * `bad_request`; the status says what was wrong.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: 405 | 408 | 413 | 414 | 416;

  constructor(status: HttpError['status'], message: string) {
    super(message);
    this.status = status;
  }
}
