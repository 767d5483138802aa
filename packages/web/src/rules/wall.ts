/** How long each running dispatch is shown. */
export const TURN_MS = 15_000;
/** Older numbers are said to be old. */
const STALE_MS = 30_000;

/** Which of several dispatches is shown; they take turns. */
export const turnOf = (count: number, elapsedMs: number): number =>
  count === 0 ? 0 : Math.floor(Math.max(0, elapsedMs) / TURN_MS) % count;

/** The one before or after; the first follows the last. */
export const turned = (index: number, by: -1 | 1, count: number): number => (index + by + count) % count;

/** Milliseconds since the numbers were received, once that is worth saying; null while they are fresh. */
export const staleFor = (receivedAtMs: number, nowMs: number): number | null =>
  receivedAtMs > 0 && nowMs - receivedAtMs > STALE_MS ? nowMs - receivedAtMs : null;

/** The script that a page of the service loads first; it differs from version to version. */
export const entryScript = (html: string): string | null =>
  /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? null;
