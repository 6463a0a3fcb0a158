/** Ignores SIGTERM, and says so on the error output. */
process.on('SIGTERM', () => process.stderr.write('not yet\n'));
process.stdout.write(`busy, pid ${process.pid}\n`);
setInterval(() => {}, 60_000);
