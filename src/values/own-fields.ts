import { json, text } from './columns.ts';
import { externalRef, metadata } from './fields.ts';

/*
 * What a business keeps of its own beside a payee or a bank account: the reference by which its books know it, and
 * key-value pairs. Nobody else is told of them.
 */

/** How they are shown. @param among where the reference is unique */
export const ownShownFields = (among: string) => ({
  externalRef: text.orNull(`The business's own reference, unique among ${among}.`),
  metadata: json.orNull("The business's own key-value pairs."),
});

/** What a caller gives: absent is unchanged, null clears. */
export const ownGivenFields = {
  externalRef: {
    type: 'String',
    input: externalRef.nullish(),
    description: 'Your own reference, up to 128 characters. One that is taken is refused.',
  },
  metadata: {
    type: 'JSON',
    input: metadata.nullish(),
    description:
      'Up to 20 pairs of texts of your own; values have up to 500 characters. Replaced as a whole.',
  },
} as const;

/** The checks of it, by name. */
export const ownInputs = {
  externalRef: ownGivenFields.externalRef.input,
  metadata: ownGivenFields.metadata.input,
};
