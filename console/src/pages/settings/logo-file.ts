/** A file as the service takes it. */
export interface ChosenLogo {
  readonly name: string;
  /** Base64. */
  readonly content: string;
}

/** The service takes no larger one, in bytes; and it ends a request that is far larger without an answer. */
export const largestLogo = 128 * 1_024;

/** The bytes of a text in base64. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Reads a file that a person chose. */
export async function readLogo(file: File): Promise<ChosenLogo> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return { name: file.name, content: btoa(characters.join('')) };
}
