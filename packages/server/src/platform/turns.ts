/** Longer than this, long work of one event loop's turn leaves nobody else waiting. */
const TURN_MS = 1;

/** Pieces of long work that wait for a turn of their own: each turn of the event loop has room for one of them. */
const waiting: Array<() => void> = [];
let beganMs = Number.NEGATIVE_INFINITY;

/** To be awaited after each step of long work: now and then lets everybody else have a turn. */
export const turns = (): (() => Promise<void>) => async () => {
  if (waiting.length === 0 && performance.now() - beganMs < TURN_MS) return;
  await new Promise<void>((resume) => {
    if (waiting.push(resume) === 1) setImmediate(giveTurn);
  });
};

const giveTurn = (): void => {
  beganMs = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
};
