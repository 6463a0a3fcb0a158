import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { buildASTSchema, parse } from 'graphql';
import { permissions } from '../../src/access/roles.ts';
import { catalogue } from '../../src/errors/catalogue.ts';
import { currencyCodes, currencyExponent } from '../../src/reference/currencies.ts';
import type { ConsoleDocument } from './documents.ts';

/** How values of our scalars look to the console. */
const scalars = {
  Base64Bytes: 'string',
  DateTime: 'string',
  JSON: 'unknown',
  MinorUnits: 'number',
  MinorUnitsTotal: 'string',
};

/** The digits behind the decimal point, for each currency that has not two. */
function exponents(): string {
  const unusual = currencyCodes.filter((code) => currencyExponent(code) !== 2);
  const table = Object.fromEntries(unusual.map((code) => [code, currencyExponent(code)]));
  return `export const unusualExponents: Readonly<Record<string, number>> = ${JSON.stringify(table)};\n`;
}

const union = (name: string, values: readonly string[]): string =>
  `export type ${name} =${values.map((value) => `\n  | '${value}'`).join('')};\n`;

/** What GraphQL has as plain texts: the codes of errors and the rights of roles. */
const codes = (): string =>
  union('ErrorCode', Object.keys(catalogue)) + union('Permission', Object.keys(permissions));

/**
 * Writes what the sources of the console import beside their own: the types of its documents, made from
 * schema.graphql, the exponents of currencies, the codes of errors and
 * the rights of roles. Throws for a document that does not fit the schema.
 */
export async function generateTypes(
  root: string,
  documents: readonly ConsoleDocument[],
): Promise<void> {
  const folder = join(root, 'generated/console-types');
  await mkdir(folder, { recursive: true });
  const schema = parse(await readFile(join(root, 'schema/schema.graphql'), 'utf8'));
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: `${folder}/`,
    schema,
    schemaAst: buildASTSchema(schema),
    documents: documents.map(({ file, text }) => ({
      location: join(root, file),
      document: parse(text),
      rawSDL: text,
    })),
    config: {
      scalars,
      strictScalars: true,
      useTypeImports: true,
      immutableTypes: true,
      importExtension: '.ts',
    },
    presetConfig: { fragmentMasking: false, skipIndexFile: true },
    plugins: [],
    pluginMap: {},
    documentTransforms: [],
  });
  for (const section of sections) await writeFile(section.filename, await codegen(section));
  await writeFile(join(folder, 'exponents.ts'), exponents());
  await writeFile(join(folder, 'codes.ts'), codes());
}
