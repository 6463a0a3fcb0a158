import { isMainThread } from 'node:worker_threads';

// Loaded by `--import` into each process that `npm start` runs. The channel to the parent closes
// when the parent ends in any way, kill -9 included, so no process keeps a port or a connection.
// Worker threads load it too, and have no channel.
if (isMainThread) {
  if (process.connected !== true) process.exit(1);
  process.once('disconnect', () => process.exit(1));
  // The channel alone does not keep a process alive that has nothing left to do.
  process.channel?.unref();
}
