/**
 * Rooms that may import each other, with the reason. A pair that is not here fails the check, and so
 * does a line that nothing needs.
 */
export const permittedPairs: Readonly<Record<string, string>> = {
  'src/access <-> src/process':
    'Access reads its limits from the settings; services.ts puts the parts of a process together and knows the type of a scope.',
  'src/process <-> src/providers':
    'The settings of the chosen provider are among those of the process; a call of a provider is a span of the process.',
};
