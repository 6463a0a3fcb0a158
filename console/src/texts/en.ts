import { commonTexts } from './en/common.ts';
import { errorTexts } from './en/errors.ts';
import { overviewTexts } from './en/overview.ts';
import { signInTexts } from './en/sign-in.ts';

/**
 * Every text of the console, in English. A page's texts are a file of its own in `en/`, named here; a
 * translation is a catalogue of the same type.
 */
export const texts = {
  ...commonTexts,
  errors: errorTexts,
  overview: overviewTexts,
  signIn: signInTexts,
};
