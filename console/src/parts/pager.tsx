import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';

interface PagerProps {
  /** The list, where a page has several. */
  readonly of?: string;
  readonly shown: number;
  readonly total?: number;
  readonly totalIsExact?: boolean;
  /** Absent where there is none. */
  onPrevious?(): void;
  onNext?(): void;
}

function shownOf(shown: number, total: number | undefined, exact: boolean): string {
  if (total === undefined) return texts.pager.rows({ count: shown });
  return exact ? texts.pager.of({ shown, total }) : texts.pager.ofMore({ shown, total });
}

/** How many rows a list shows, and the ways to the pages before and after. */
export function Pager({ of, shown, total, totalIsExact = true, onPrevious, onNext }: PagerProps) {
  return (
    <nav
      className="pager"
      aria-label={of === undefined ? texts.pager.label : texts.pager.labelOf({ list: of })}
    >
      <span>{shownOf(shown, total, totalIsExact)}</span>
      {(onPrevious || onNext) && (
        <span className="row">
          <Button disabled={!onPrevious} onClick={onPrevious}>
            {texts.pager.previous}
          </Button>
          <Button disabled={!onNext} onClick={onNext}>
            {texts.pager.next}
          </Button>
        </span>
      )}
    </nav>
  );
}
