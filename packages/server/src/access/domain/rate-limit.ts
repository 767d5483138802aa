/** Requests of one caller in the last minute, counted by the second. */
export interface RateWindow {
  readonly counts: Uint32Array;
  second: number;
  total: number;
  /** Of those counted here, what other processes have not been told. */
  untold: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until a request is free again, at least one. */
  readonly resetSeconds: number;
}

const WINDOW_SECONDS = 60;
/** Other processes are told of each twentieth of a limit: few requests are worth a word, and a limit is exceeded by little. */
const TOLD_PARTS = 20;

export const rateWindow = (): RateWindow => ({
  counts: new Uint32Array(WINDOW_SECONDS),
  second: 0,
  total: 0,
  untold: 0,
});

/** Counts a request, or its cost, into a sliding minute and returns whether it is within the limit (G9). */
export const countRequest = (window: RateWindow, limit: number, nowMs: number, cost = 1): RateVerdict => {
  const second = Math.floor(nowMs / 1000);
  forget(window, second);
  const allowed = window.total + cost <= limit;
  if (allowed) {
    add(window, second, cost);
    window.untold += cost;
  }
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - window.total),
    resetSeconds: untilOldestLeaves(window, second),
  };
};

/** Counts what another process has allowed, as of now. */
const countElsewhere = (window: RateWindow, cost: number, nowMs: number): void => {
  const second = Math.floor(nowMs / 1000);
  forget(window, second);
  add(window, second, cost);
};

/** What other processes are to be told of now, which counts as told; 0 while it is less than a twentieth of the limit. */
const takeUntold = (window: RateWindow, limit: number): number => {
  // Requests that have left the window concern nobody.
  const untold = Math.min(window.untold, window.total);
  if (untold < Math.max(1, limit / TOLD_PARTS)) return 0;
  window.untold = 0;
  return untold;
};

const add = (window: RateWindow, second: number, cost: number): void => {
  const slot = second % WINDOW_SECONDS;
  window.counts[slot] = (window.counts[slot] ?? 0) + cost;
  window.total += cost;
};

/** Whether it has no requests of the last minute. */
export const isIdle = (window: RateWindow, nowMs: number): boolean =>
  window.total === 0 || Math.floor(nowMs / 1000) - window.second >= WINDOW_SECONDS;

/** Tells other processes what was counted for a name. */
export type Tell = (name: string, count: number) => void;

/** A sliding minute per name; sweeping removes idle ones. */
export class RateWindows {
  private readonly windows = new Map<string, RateWindow>();

  constructor(private readonly tell: Tell = () => {}) {}

  count(name: string, limit: number, nowMs: number, cost = 1): RateVerdict {
    const window = this.of(name);
    const verdict = countRequest(window, limit, nowMs, cost);
    const untold = verdict.allowed ? takeUntold(window, limit) : 0;
    if (untold > 0) this.tell(name, untold);
    return verdict;
  }

  /** Another process has counted. */
  hear(name: string, count: number, nowMs: number): void {
    countElsewhere(this.of(name), count, nowMs);
  }

  sweep(nowMs: number): void {
    for (const [name, window] of this.windows) if (isIdle(window, nowMs)) this.windows.delete(name);
  }

  private of(name: string): RateWindow {
    let window = this.windows.get(name);
    if (window === undefined) {
      window = rateWindow();
      this.windows.set(name, window);
    }
    return window;
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
