import { languageCodes, type LanguageCode } from '../../../generated/console-types/languages.ts';
import { language, languageNames } from '../texts/language.ts';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';

interface LanguageChoiceProps {
  readonly busy?: boolean;
  onChoose(code: LanguageCode): void;
}

/** The languages, each by its own name; that of the page is marked. Nothing changes before one is pressed. */
export function LanguageChoice({ busy = false, onChoose }: LanguageChoiceProps) {
  return (
    <ul className="languages" aria-label={texts.language.label}>
      {languageCodes.map((code) => (
        <li key={code}>
          <Button
            kind="plain"
            lang={code}
            aria-pressed={code === language}
            busy={busy}
            onClick={() => code !== language && onChoose(code)}
          >
            {languageNames[code]}
          </Button>
        </li>
      ))}
    </ul>
  );
}
