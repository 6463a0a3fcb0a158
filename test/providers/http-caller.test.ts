import { expect, it } from 'vitest';
import { errorOfException } from '../../src/providers/http-caller.ts';

const failing = (code: string, syscall: string) =>
  Object.assign(new Error('failed'), { code, syscall });
const refused = failing('ECONNREFUSED', 'connect');

it.each([
  ['a port where nobody listens', refused],
  ['a name that is not resolved', failing('ENOTFOUND', 'getaddrinfo')],
  [
    'a connection that is not made in time',
    Object.assign(new Error('slow'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
  ],
  [
    'several addresses of which none is reached',
    new AggregateError([refused, failing('ETIMEDOUT', 'connect')]),
  ],
])('may send again after %s, since nothing has left', (_what, error) => {
  expect(errorOfException(error).verdict).toBe('retry');
});

it.each([
  ['a connection that was cut', failing('ECONNRESET', 'read')],
  ['a write that failed', failing('EPIPE', 'write')],
  [
    'several addresses of which one was reached',
    new AggregateError([refused, failing('ECONNRESET', 'read')]),
  ],
  ['several failures of which none is told', new AggregateError([])],
  ['what is no error', 'aborted'],
])('knows nothing of the money after %s', (_what, error) => {
  expect(errorOfException(error).verdict).toBe('unknown');
});
