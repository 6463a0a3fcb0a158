import { faultOfCode, type Fault } from '../values/fault.ts';
import { texts } from '../texts/texts.ts';
import { requestOptions } from './client.ts';

/** An answer of the endpoints that make and end sessions: their JSON, or why not. */
export type AuthAnswer<T> = { readonly data: T } | { readonly fault: Fault };

interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly request_id?: string;
  };
}

/** Posts to an endpoint below /auth. */
export async function post<T = unknown>(path: string, body: object = {}): Promise<AuthAnswer<T>> {
  let answer: Response;
  try {
    const { headers, ...options } = requestOptions('person');
    answer = await fetch(`/auth/${path}`, {
      ...options,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  } catch {
    return { fault: { code: 'network', ...texts.failed.network, details: [], requestId: null } };
  }
  const json: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return { data: json as T };
  const { error } = json as ErrorBody;
  const id = error?.request_id;
  return {
    fault: faultOfCode(
      error?.code,
      error?.message ?? '',
      id === undefined ? {} : { request_id: id },
    ),
  };
}
