/** Older numbers are said to be old. */
const STALE_MS = 30_000;

/** Milliseconds since the numbers were received, once that is worth saying; null while they are fresh. */
export const staleFor = (receivedAtMs: number, nowMs: number): number | null =>
  receivedAtMs > 0 && nowMs - receivedAtMs > STALE_MS ? nowMs - receivedAtMs : null;

/** The script that a page of the service loads first; it differs from version to version. */
export const entryScript = (html: string): string | null =>
  /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? null;
