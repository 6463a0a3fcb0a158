/** Of the argument or field that makes a create safe to repeat. */
export const idempotentCreate =
  'Repeating the create with the same key and content within 24 hours gives the same resource; other content is IDEMPOTENCY_KEY_REUSED.';
