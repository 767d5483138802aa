/** Requests of one caller in the last minute, counted by the second. */
export interface RateWindow {
  readonly counts: Uint32Array;
  second: number;
  total: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until a request is free again, at least one. */
  readonly resetSeconds: number;
}

const WINDOW_SECONDS = 60;

export const rateWindow = (): RateWindow => ({ counts: new Uint32Array(WINDOW_SECONDS), second: 0, total: 0 });

/** Counts a request, or its cost, into a sliding minute and returns whether it is within the limit (G9). */
export const countRequest = (window: RateWindow, limit: number, nowMs: number, cost = 1): RateVerdict => {
  const second = Math.floor(nowMs / 1000);
  forget(window, second);
  const allowed = window.total + cost <= limit;
  if (allowed) {
    const slot = second % WINDOW_SECONDS;
    window.counts[slot] = (window.counts[slot] ?? 0) + cost;
    window.total += cost;
  }
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - window.total),
    resetSeconds: untilOldestLeaves(window, second),
  };
};

/** Whether it has no requests of the last minute. */
export const isIdle = (window: RateWindow, nowMs: number): boolean =>
  window.total === 0 || Math.floor(nowMs / 1000) - window.second >= WINDOW_SECONDS;

/** A sliding minute per name; sweeping removes idle ones. */
export class RateWindows {
  private readonly windows = new Map<string, RateWindow>();

  count(name: string, limit: number, nowMs: number, cost = 1): RateVerdict {
    let window = this.windows.get(name);
    if (window === undefined) {
      window = rateWindow();
      this.windows.set(name, window);
    }
    return countRequest(window, limit, nowMs, cost);
  }

  sweep(nowMs: number): void {
    for (const [name, window] of this.windows) if (isIdle(window, nowMs)) this.windows.delete(name);
  }
}

const forget = (window: RateWindow, second: number): void => {
  const passed = Math.min(Math.max(0, second - window.second), WINDOW_SECONDS);
  for (let step = 1; step <= passed; step++) {
    const slot = (window.second + step) % WINDOW_SECONDS;
    window.total -= window.counts[slot] ?? 0;
    window.counts[slot] = 0;
  }
  if (passed === WINDOW_SECONDS) {
    window.counts.fill(0);
    window.total = 0;
  }
  window.second = Math.max(window.second, second);
};

const untilOldestLeaves = (window: RateWindow, second: number): number => {
  for (let age = WINDOW_SECONDS - 1; age >= 0; age--) {
    const slot = (((second - age) % WINDOW_SECONDS) + WINDOW_SECONDS) % WINDOW_SECONDS;
    if ((window.counts[slot] ?? 0) > 0) return WINDOW_SECONDS - age;
  }
  return 1;
};
