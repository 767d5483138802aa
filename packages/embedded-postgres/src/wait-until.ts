import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the condition holds; false if it does not within the time. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 50 }: { withinMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() >= deadline) return false;
    await sleep(everyMs);
  }
  return true;
}
