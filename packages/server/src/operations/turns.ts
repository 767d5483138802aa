/** Longer than this one piece of work leaves nobody else waiting. */
const TURN_MS = 20;

/** To be awaited after each step of long work: now and then lets everybody else have a turn. */
export const turns = (): (() => Promise<void>) => {
  let beganMs = performance.now();
  return async () => {
    if (performance.now() - beganMs < TURN_MS) return;
    await new Promise((resume) => {
      setImmediate(resume);
    });
    beganMs = performance.now();
  };
};
