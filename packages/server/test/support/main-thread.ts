import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/**
 * Times the turns of the event loop by the processor time of the main thread: a busy machine, other threads and a client
 * in another thread do not count. Without Linux by the clock.
 */
export const watchMainThread = (): (() => number) => {
  let isOver = false;
  let [longestMs, before] = [0, mainThreadMs()];
  const look = (): void => {
    const now = mainThreadMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
    if (!isOver) setTimeout(look, 1);
  };
  look();
  return () => {
    isOver = true;
    look();
    return longestMs;
  };
};

const mainThreadMs = (): number => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
};
