import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { buildASTSchema, parse, print } from 'graphql';
import { permissions } from '../../src/access/roles.ts';
import { catalogue } from '../../src/errors/catalogue.ts';
import { suggestedCurrency } from '../../rest/collect/countries.ts';
import { countryCodes } from '../../src/reference/countries.ts';
import { currencyCodes, currencyExponent } from '../../src/reference/currencies.ts';
import { languageCodes } from '../../src/reference/languages.ts';
import type { TextBranch } from '../../src/values/say.ts';
import { typesOfTexts } from '../texts/types.ts';
import { consoleDocuments, type ConsoleDocument, type DocumentFile } from './documents.ts';

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

/** The countries with the currency that accounts there mostly have, as the form for payees suggests it, and all currencies. */
function places(): string {
  const usual = Object.fromEntries(countryCodes.map((code) => [code, suggestedCurrency(code)]));
  return [
    `export const countries: Readonly<Record<string, string>> = ${JSON.stringify(usual)};\n`,
    `export const currencies: readonly string[] = ${JSON.stringify(currencyCodes)};\n`,
  ].join('');
}

/** The languages of the console: those of the form for payees and its mails. */
const languages = (): string =>
  `export const languageCodes = ${JSON.stringify(languageCodes)} as const;\n` +
  'export type LanguageCode = (typeof languageCodes)[number];\n';

const union = (name: string, values: readonly string[]): string =>
  `export type ${name} =${values.map((value) => `\n  | '${value}'`).join('')};\n`;

/** What GraphQL has as plain texts: the codes of errors and the rights of roles. */
const codes = (): string =>
  union('ErrorCode', Object.keys(catalogue)) + union('Permission', Object.keys(permissions));

/** The path from a generated module of documents to the folder of generated types. */
const toFolder = (file: string): string => '../'.repeat(file.split('/').length - 1);

/**
 * The documents of one file as a module: `Payees` is `payeesDocument`, its text with the types of its variables and its
 * answer. A page that imports it carries these documents and no others.
 */
function moduleOf(file: string, documents: readonly ConsoleDocument[]): string {
  const constants = documents.map(({ operation, text }) => {
    const name = `${operation.charAt(0).toLowerCase()}${operation.slice(1)}Document`;
    return `export const ${name} = ${JSON.stringify(text)} as unknown as typeof types.${operation}Document;\n`;
  });
  return [`import type * as types from '${toFolder(file)}graphql.ts';\n`, ...constants].join('\n');
}

/**
 * Writes what the sources of the console import beside their own: its documents with their types, made from
 * schema.graphql, the types of its texts, the exponents of currencies, the codes of errors and the rights of roles.
 * Throws for a document that does not fit the schema.
 */
export async function generateTypes(
  root: string,
  folder: string,
  files: readonly DocumentFile[],
): Promise<void> {
  const schema = parse(await readFile(join(root, 'schema/schema.graphql'), 'utf8'));
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: `${folder}/`,
    schema,
    schemaAst: buildASTSchema(schema),
    documents: files.map(({ path, document }) => ({
      location: path,
      document,
      rawSDL: print(document),
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
  // The other one finds the types of a document by its whole text.
  const types = sections.find(({ filename }) => filename.endsWith('/graphql.ts'));
  if (types === undefined) throw new Error('the preset makes no graphql.ts any more');
  await writeFile(join(folder, 'graphql.ts'), await codegen(types));
  const byFile = Map.groupBy(consoleDocuments(files), ({ file }) => file);
  for (const [file, documents] of byFile) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, `${file}.ts`), moduleOf(file, documents));
  }
  const texts = await readFile(join(root, 'console/src/texts/en.json'), 'utf8');
  await writeFile(join(folder, 'texts.ts'), typesOfTexts(JSON.parse(texts) as TextBranch));
  await writeFile(join(folder, 'exponents.ts'), exponents());
  await writeFile(join(folder, 'places.ts'), places());
  await writeFile(join(folder, 'codes.ts'), codes());
  await writeFile(join(folder, 'languages.ts'), languages());
}
