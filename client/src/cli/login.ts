import { files, homeFolder } from './node.ts';

/** Where the service is, and the key that opens it. */
export interface Login {
  readonly baseUrl: string;
  readonly apiKey: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const usualBaseUrl = 'http://localhost:3000';

async function folderOf(env: Env): Promise<string> {
  return `${env['XDG_CONFIG_HOME'] ?? `${await homeFolder()}/.config`}/payouts`;
}

async function stored(env: Env): Promise<Partial<Login>> {
  const { readFile } = await files();
  try {
    const text = await readFile(`${await folderOf(env)}/login.json`, 'utf8');
    return JSON.parse(text) as Partial<Login>; // keepLogin wrote it
  } catch {
    return {};
  }
}

/** What is given beats the environment, and that what `payouts login` kept. Without a key it is empty. */
export async function loginFrom(
  env: Env,
  given: { readonly baseUrl?: string | undefined; readonly apiKey?: string | undefined },
): Promise<Login> {
  const kept = await stored(env);
  const baseUrl = given.baseUrl ?? env['PAYOUTS_BASE_URL'] ?? kept.baseUrl ?? usualBaseUrl;
  const apiKey = given.apiKey ?? env['PAYOUTS_API_KEY'] ?? kept.apiKey ?? '';
  return { baseUrl, apiKey };
}

/** Keeps a login where only its owner can read it; gives the path of the file. */
export async function keepLogin(env: Env, login: Login): Promise<string> {
  const { chmod, mkdir, writeFile } = await files();
  const folder = await folderOf(env);
  const path = `${folder}/login.json`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  // A file that was there keeps its mode.
  await chmod(path, 0o600);
  return path;
}
