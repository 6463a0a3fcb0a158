import type { Request, RequestHandler } from 'express';

interface Endpoint {
  readonly method: string;
  /** Express path of fixed segments and whole-segment parameters. */
  readonly path: string;
}

interface Candidate {
  /** A fixed segment, or null for a parameter. */
  readonly fixed: readonly (string | null)[];
  readonly names: readonly string[];
  readonly handler: RequestHandler;
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

function candidateOf({ path }: Endpoint, handler: RequestHandler): Candidate {
  const segments = segmentsOf(path);
  if (segments.some((segment) => /[*{}()?+]|.:/.test(segment))) {
    throw new Error(`${path}: only fixed segments and whole-segment parameters are matched`);
  }
  return {
    fixed: segments.map((segment) => (segment.startsWith(':') ? null : segment)),
    names: segments.flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : [])),
    handler,
  };
}

function paramsOf({ fixed, names }: Candidate, segments: readonly string[]) {
  const params: Record<string, string> = {};
  let named = 0;
  for (const [i, segment] of segments.entries()) {
    const expected = fixed[i];
    if (expected === null) {
      if (segment === '') return null;
      // `checkHead` has refused what does not decode.
      params[names[named] ?? ''] = decodeURIComponent(segment);
      named += 1;
    } else if (expected !== segment) return null;
  }
  return params;
}

/**
 * Finds the handler of a request by its method and the number of its path segments, then in the order
 * of the table. It matches as Express would: upper and lower case differ, a slash at the end is
 * ignored, and HEAD counts as GET. Express would try the pattern of every earlier row first.
 */
export function createMatcher<Row extends Endpoint>(
  rows: readonly Row[],
  handlerOf: (row: Row) => RequestHandler,
): RequestHandler {
  const bySize = new Map<string, Candidate[]>();
  for (const row of rows) {
    const candidate = candidateOf(row, handlerOf(row));
    const key = `${row.method.toUpperCase()} ${candidate.fixed.length}`;
    bySize.set(key, [...(bySize.get(key) ?? []), candidate]);
  }
  return (request: Request, response, next) => {
    const segments = segmentsOf(request.path);
    if (segments.length > 1 && segments.at(-1) === '') segments.pop();
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    for (const candidate of bySize.get(`${method} ${segments.length}`) ?? []) {
      const params = paramsOf(candidate, segments);
      if (params === null) continue;
      request.params = params;
      return candidate.handler(request, response, next);
    }
    next();
    return undefined;
  };
}
