/*
 * What the command line takes of Node. The package is compiled without Node's types, since the client runs in browsers
 * too and is built where only a compiler is, so the few functions are described here.
 */

interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

interface Process {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode?: number | undefined;
  once(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

interface FileSystem {
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  writeFile(path: string, text: string, options: { readonly mode: number }): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<unknown>;
}

interface Machine {
  homedir(): string;
}

/** Not by a literal, whose types the compiler would look for. */
async function load<Module>(name: 'node:fs/promises' | 'node:os'): Promise<Module> {
  const module: string = name;
  return (await import(module)) as Module;
}

/** Without Node's types the compiler knows no `process`. */
export const node = (globalThis as unknown as { readonly process: Process }).process;
export const files = (): Promise<FileSystem> => load<FileSystem>('node:fs/promises');
export const homeFolder = async (): Promise<string> => (await load<Machine>('node:os')).homedir();
