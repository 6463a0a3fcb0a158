import type { CombinedError } from 'urql';
import type { ErrorCode } from '../../../generated/console-types/codes.ts';
import { language } from '../texts/language.ts';
import { textFor, texts } from '../texts/texts.ts';

/** What went wrong with one field of an input. */
export interface FaultDetail {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** What a reader is told of an operation that failed. */
export interface Fault {
  /** A code of the catalogue, or what kept the operation from reaching it. */
  readonly code: ErrorCode | 'network' | 'unknown';
  readonly title: string;
  readonly text: string;
  readonly details: readonly FaultDetail[];
  readonly requestId: string | null;
}

/** What the service says beside the code. */
interface Particulars {
  readonly details?: readonly FaultDetail[];
  readonly request_id?: string;
}

const isKnown = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(texts.errors, code);

function withoutDetails(code: Fault['code'], told: { title: string; text: string }): Fault {
  return { code, title: told.title, text: told.text, details: [], requestId: null };
}

/**
 * What the service says of a field: in English as it says it, else in the words for its code, with the field, where
 * there are some.
 */
function detailOf(detail: FaultDetail): FaultDetail {
  const words = language === 'en' ? undefined : textFor(texts.faults, detail.code);
  return words === undefined ? detail : { ...detail, message: `${detail.field}: ${words}` };
}

/** The codes of HTTP's statuses say too little without the sentence of the service; the others are in capitals. */
const saysEnough = (code: ErrorCode): boolean => /^[A-Z]/.test(code);

/**
 * What a code of the service means to a reader. The service's own message, which is in English, tells the particulars;
 * in another language only where the code alone says too little.
 */
export function faultOfCode(
  code: string | undefined,
  message: string,
  { details = [], request_id }: Particulars = {},
): Fault {
  const requestId = request_id ?? null;
  if (code === 'service_unavailable') {
    return { ...withoutDetails(code, texts.failed.busy), requestId };
  }
  if (!isKnown(code) || code === 'internal_error') {
    return { ...withoutDetails('unknown', texts.failed.unknown), requestId };
  }
  return {
    code,
    title: texts.errors[code],
    text: language !== 'en' && saysEnough(code) ? '' : message,
    details: details.map(detailOf),
    requestId,
  };
}

/** Whether the same can succeed a little later, without being changed. */
export const isTemporary = ({ code }: Fault): boolean =>
  ['network', 'service_unavailable', 'too_many_requests'].includes(code);

/** The fault of an operation, by the first error of its answer; an answer without either is one of ours. */
export function faultOf(error: CombinedError | undefined): Fault {
  if (error === undefined) return faultOfCode(undefined, '');
  const [first] = error.graphQLErrors;
  if (first !== undefined) {
    const { code, ...rest } = first.extensions as Particulars & { readonly code?: string };
    return faultOfCode(code, first.message, rest);
  }
  const status = (error.response as Response | undefined)?.status ?? 0;
  if (status === 502 || status === 503 || status === 504) {
    return withoutDetails('service_unavailable', texts.failed.busy);
  }
  return withoutDetails('network', texts.failed.network);
}
