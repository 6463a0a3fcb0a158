import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { duration, exactTime, shortTime } from '../values/time.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const Exactness = createContext({ exact: false, toggle: () => {} });

const storageKey = 'exact-times';

/** Keeps for the session of the browser whether times are shown exactly. */
export function ExactTimes({ children }: { readonly children: ReactNode }) {
  const [exact, setExact] = useState(() => sessionStorage.getItem(storageKey) === 'true');
  const toggle = () => {
    sessionStorage.setItem(storageKey, String(!exact));
    setExact(!exact);
  };
  return <Exactness value={{ exact, toggle }}>{children}</Exactness>;
}

/** Shows every time of the page to the millisecond, or short again. */
export function ExactTimesButton() {
  const { exact, toggle } = use(Exactness);
  return (
    <Button kind="plain" aria-pressed={exact} onClick={toggle}>
      <Icon name="clock" />
      {texts.time.exact}
    </Button>
  );
}

/** A time in the reader's zone; to the millisecond where the reader asks for it, and on hovering. */
export function Time({ at }: { readonly at: string }) {
  const { exact } = use(Exactness);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {exact ? exactTime(at) : shortTime(at)}
    </time>
  );
}

/** The time, anew each half minute, for what says how long ago something was. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const lasting = (count: number, unit: keyof typeof texts.time.lasting): string =>
  count === 0 ? texts.time.moments : texts.time.lasting[unit]({ count });

/** How long ago a time was: `3 hours`. */
export function Since({ at }: { readonly at: string }) {
  const { exact } = use(Exactness);
  const now = useNow();
  const { count, unit } = duration((now - Date.parse(at)) / 60_000);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {exact ? exactTime(at) : lasting(count, unit)}
    </time>
  );
}
