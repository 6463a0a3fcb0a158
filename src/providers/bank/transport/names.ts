import { ProviderError } from '../../port.ts';

/** The name of a file in a bank's folder: never a path, and nothing that a shell or a bank reads otherwise. */
const permitted = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Whether a file may have this name. */
export function isFileName(name: string): boolean {
  return permitted.test(name) && !name.includes('..');
}

/**
 * The path of an outgoing file.
 * @throws TypeError for what is no name of a file
 */
export function pathOf(folder: string, name: string): string {
  if (!isFileName(name)) throw new TypeError('not the name of a file for a bank');
  return join(folder, name);
}

/**
 * The path of a file that the bank named, in whatever characters it likes.
 * @throws ProviderError `retry` for a name that leads into another folder
 */
export function incomingPathOf(folder: string, name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) {
    const shown = JSON.stringify(name.slice(0, 100));
    const text = `The incoming file ${shown} has a name that leads into another folder.`;
    throw new ProviderError('retry', 'other', text);
  }
  return join(folder, name);
}

/** With slashes on every system, as SFTP wants them; the root's own slash is not doubled. */
function join(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/** A file that the bank has not finished, or that is hidden: it is taken once it has another name. */
export function isUnfinished(name: string): boolean {
  return /^\.|\.(?:part|tmp|filepart|writing)$/i.test(name);
}
