import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { ChangeFacts } from './change-facts.tsx';

const words = texts.operator.changes;

/** A production key that a confirmed change made. */
export interface IssuedKey {
  readonly key: string;
  readonly changeId: string;
  readonly companyName: string;
  /** What the change said of it: for whom it is. */
  readonly shown: unknown;
}

interface Props {
  readonly keys: readonly IssuedKey[];
  onDismiss(changeId: string): void;
}

/** Keys that are shown this once, each until the reader says that it is handed over; nothing where there are none. */
export function IssuedKeys({ keys, onDismiss }: Props) {
  if (keys.length === 0) return null;
  return (
    <Card title={words.issued}>
      <div className="stack">
        {keys.map(({ key, changeId, companyName, shown }) => (
          <Note key={changeId} tone="good">
            <div className="stack">
              <p>
                <strong>{words.key({ of: companyName })}</strong> {words.keyHint}
              </p>
              <ChangeFacts shown={shown} />
              <CopyId value={key} name={words.key({ of: companyName })} />
              <div>
                <Button
                  aria-label={texts.operator.actOn({ act: words.keyDone, about: companyName })}
                  onClick={() => onDismiss(changeId)}
                >
                  {words.keyDone}
                </Button>
              </div>
            </div>
          </Note>
        ))}
      </div>
    </Card>
  );
}
