/*
 * Given to a program with `--import`: its clock is CLOCK_SHIFT_MS milliseconds ahead of the machine's, or behind where
 * that is negative, until SIGUSR2 sets it right.
 */
// oxlint-disable-next-line node/no-process-env -- it is loaded before there is any other setting
let shift = Number(process.env.CLOCK_SHIFT_MS);
process.on('SIGUSR2', () => (shift = 0));

const { now } = Date;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, asked) =>
    Reflect.construct(target, given.length === 0 ? [now() + shift] : given, asked),
  get: (target, name) => (name === 'now' ? () => now() + shift : Reflect.get(target, name)),
});
