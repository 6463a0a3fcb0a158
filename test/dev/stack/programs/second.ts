/** Stands for a service without a port. Its channel to the parent must not keep it alive. */
const timer = setInterval(() => {}, 60_000);
process.stdout.write(`working, pid ${process.pid}\n`);
process.on('SIGTERM', () => clearInterval(timer));
