import { isMainThread } from 'node:worker_threads';

// Loaded by `--import` into each process that `npm start` runs. The channel to the parent closes
// when the parent ends in any way, kill -9 included; nothing then keeps a port or a connection.
// Worker threads load it too, and have no channel.
if (isMainThread) {
  if (process.connected !== true) process.exit(1);
  process.once('disconnect', () => process.exit(1));
  // A process that has nothing left to do ends in spite of the channel.
  process.channel?.unref();
}
