/** Values under these keys are the caller's own: their keys are left as they are. */
const opaque = new Set(['metadata', 'details', 'evaluated_by']);

const camelByKey = new Map<string, string>();

function camel(key: string): string {
  let name = camelByKey.get(key);
  if (name === undefined) {
    name = key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
    // Keys come from the contracts, so the map cannot grow by what callers send.
    camelByKey.set(key, name);
  }
  return name;
}

/** REST's snake_case to GraphQL's camelCase, for input that a contract has validated. */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      camel(key),
      opaque.has(key) ? item : toCamelCase(item),
    ]),
  );
}

/** The path of a rejected field as REST spells it: `payouts[3].amountMinor` → `payouts[3].amount_minor`. */
export function toSnakeCase(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
