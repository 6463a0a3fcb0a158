import { z } from 'zod';

/** Shapes that several settings have. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** Positive numbers of seconds, separated by commas. */
export const secondsList = list.pipe(z.array(z.coerce.number<string>().positive()).min(1));

export const port = z.coerce.number().int().min(0).max(65535);
export const milliseconds = z.coerce.number().int().min(1);
export const count = z.coerce.number().int().min(1).max(1_000_000_000);
export const days = z.coerce.number().int().max(36_500);
