/** Values of an enum with their descriptions; the compiler wants one for each of `Value`. */
export function describedValues<Value extends string>(
  descriptions: Readonly<Record<Value, string>>,
) {
  const entries = Object.entries<string>(descriptions);
  return Object.fromEntries(entries.map(([value, description]) => [value, { description }])) as {
    readonly [Name in Value]: { readonly description: string };
  };
}
