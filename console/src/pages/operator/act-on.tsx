import { Button } from '../../parts/button.tsx';
import { texts } from '../../texts/texts.ts';

interface Props {
  readonly act: string;
  /** What tells the row from the others. */
  readonly about: string;
  readonly kind?: 'primary';
  onClick(): void;
}

/** A button that each row of a list has: its accessible name says which row it acts on. */
export function ActOn({ act, about, kind, onClick }: Props) {
  return (
    <Button
      {...(kind && { kind })}
      aria-label={texts.operator.actOn({ act, about })}
      onClick={onClick}
    >
      {act}
    </Button>
  );
}
