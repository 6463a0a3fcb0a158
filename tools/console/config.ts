/** Makes Vite and React build for production, whatever the process was started as: tests have `test`. */
export function buildForProduction(): void {
  process.env['NODE_ENV'] = 'production';
}
