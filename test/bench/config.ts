/** What a bench gives its programs; empty where it gave nothing. */
export function env(name: string): string {
  return process.env[name] ?? '';
}

/** This process's environment with more for a child. */
export function childEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}
