import { useMutation } from 'urql';
import { Card } from '../../parts/card.tsx';
import { LanguageChoice } from '../../parts/language-choice.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { keepLanguage } from '../../texts/language.ts';
import { texts } from '../../texts/texts.ts';
import { faultOf } from '../../values/fault.ts';
import type { LanguageCode } from '../../../../generated/console-types/languages.ts';
import { viewerLanguageChangeDocument } from '../../../../generated/console-types/app/session.ts';

/** Chooses the language of the console, for the reader and wherever they sign in. */
export function Language() {
  const [{ fetching, error }, change] = useMutation(viewerLanguageChangeDocument);
  const choose = async (code: LanguageCode) => {
    if (fetching) return;
    const answer = await change({ language: code });
    if (answer.error !== undefined) return;
    keepLanguage(code, 'service');
    window.location.reload();
  };
  return (
    <Card title={texts.language.label}>
      <div className="stack">
        <p className="muted">{texts.language.hint}</p>
        <LanguageChoice busy={fetching} onChoose={(code) => void choose(code)} />
        <FaultNote fault={error === undefined ? null : faultOf(error)} />
      </div>
    </Card>
  );
}
