import { useEffect, useState } from 'react';
import { useClient, type Client, type CombinedError } from 'urql';
import { faultOf, isTemporary, type Fault } from '../values/fault.ts';

/** What asking about something that somebody types has brought. */
export type Asked<Data> =
  | { readonly kind: 'nothing' | 'asking' }
  | { readonly kind: 'answered'; readonly data: Data }
  | { readonly kind: 'failed'; readonly fault: Fault };

interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: CombinedError | undefined;
}

/** How long after the last key it is asked. */
const pauseMs = 350;
/** After a failure that will pass it is asked again. */
const againMs = 5_000;

/**
 * Asks about what somebody types, shortly after the last key, and again until the service can be reached.
 *
 * @param about null while there is nothing to ask
 * @param ask the same function each time
 */
export function useAsked<Data>(
  about: string | null,
  ask: (client: Client, about: string) => PromiseLike<Answer<Data>>,
): Asked<Data> {
  const client = useClient();
  const [got, setGot] = useState<{ readonly about: string; readonly asked: Asked<Data> } | null>(
    null,
  );
  useEffect(() => {
    if (about === null) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const run = async () => {
      const { data, error } = await ask(client, about);
      if (isOver) return;
      if (error === undefined && data !== undefined) {
        setGot({ about, asked: { kind: 'answered', data } });
        return;
      }
      const fault = faultOf(error);
      setGot({ about, asked: { kind: 'failed', fault } });
      // Somebody whose session has ended signs in again.
      const passes = isTemporary(fault) || fault.code === 'unauthorized';
      if (passes) timer = setTimeout(() => void run(), againMs);
    };
    timer = setTimeout(() => void run(), pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, about, ask]);
  if (about === null) return { kind: 'nothing' };
  return got?.about === about ? got.asked : { kind: 'asking' };
}
