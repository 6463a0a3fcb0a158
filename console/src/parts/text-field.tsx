import type { InputHTMLAttributes } from 'react';
import { Field } from './field.tsx';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  /** What is wrong with it. */
  readonly fault?: string | undefined;
}

/** A line of text in a form, which reads it by its name when it is sent. */
export function TextField({ label, hint, fault, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(field) => <input {...field} {...input} className="input" />}
    </Field>
  );
}
