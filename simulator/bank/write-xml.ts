const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? '');

/** An element with a text, or nothing where there is none. */
export const leaf = (name: string, text: string | null): string =>
  text === null || text === '' ? '' : `<${name}>${escaped(text)}</${name}>`;

/** An element with others in it, or nothing where all of them are nothing. */
export function element(name: string, ...parts: readonly string[]): string {
  const content = parts.join('');
  return content === '' ? '' : `<${name}>${content}</${name}>`;
}

export const money = (name: string, amount: string, currency: string): string =>
  `<${name} Ccy="${escaped(currency)}">${amount}</${name}>`;

/** A whole message of ISO 20022. */
export function document(message: string, ...parts: readonly string[]): string {
  const root = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n${parts.join('')}\n</Document>\n`;
}
