import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';

/** Prints the page: the sheet leaves out what only a screen needs (look/print.css). */
export function PrintButton() {
  return <Button onClick={() => globalThis.print()}>{texts.sheet.print}</Button>;
}

/** The last lines of a sheet that somebody signs; only paper has them. */
export function SignOff() {
  return (
    <div className="sign-off">
      <p>{texts.sheet.day}</p>
      <p>{texts.sheet.name}</p>
      <p>{texts.sheet.signature}</p>
    </div>
  );
}
