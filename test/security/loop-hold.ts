/** Microseconds of processor time that this thread has used. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/**
 * The longest time in milliseconds for which the event loop took no other turn while `work` ran. It
 * is counted in the thread's processor time: what else runs on the machine does not change it.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, used()];
  let running = true;
  const turn = (): void => {
    const at = used();
    longest = Math.max(longest, at - last);
    last = at;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    running = false;
    turn();
  }
  return longest / 1_000;
}
