import type { ZodOpenApiHeaderObject } from 'zod-openapi';
import { commonHeaders, furtherHeaders, type FurtherHeader } from '../contracts/answer-headers.ts';

/** The headers of answers as components; those of every answer are required. */
export const headerComponents: Record<string, ZodOpenApiHeaderObject> = {
  ...Object.fromEntries(
    Object.entries(commonHeaders).map(([name, header]) => [name, { ...header, required: true }]),
  ),
  ...furtherHeaders,
};

/** The headers of an answer, as references to the components: the common ones and `further`. */
export function headersOf(further: readonly FurtherHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    [...Object.keys(commonHeaders), ...further].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}
