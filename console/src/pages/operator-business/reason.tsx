import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

/** Why, for the record; every command of an operator asks for it. */
export const Reason = () => (
  <TextField label={texts.reason.label} name="reason" maxLength={1_000} required />
);
