import type { CurtailmentWindow } from "@curtail/client";

/** The windows that sites were last sent, by site. A site that may run as usual is not in it. */
export type Followed = Readonly<Record<string, CurtailmentWindow>>;

/** What to send to a site: curtail by another amount, or run as usual again. */
export interface SiteSignal {
  readonly isStart: boolean;
  /** For an end: the window that ended. */
  readonly window: CurtailmentWindow;
}

export interface SiteSignals {
  /** Ends first, so that a controller that counts never exceeds what is asked. */
  readonly signals: readonly SiteSignal[];
  readonly followed: Followed;
  /** When the next window starts or ends, in milliseconds of Unix time; Infinity if nothing is planned. */
  readonly nextAtMs: number;
}

/**
 * Compares what sites should do now with what they were sent. A window that was extended or joined by another dispatch
 * of the same amount is not sent again; one that passed unseen is not sent at all.
 *
 * @param windows of all sites, as `curtailmentWindows` returns them
 */
export const siteSignals = (windows: readonly CurtailmentWindow[], followed: Followed, nowMs: number): SiteSignals => {
  const current = windows.filter(
    ({ start_time, end_time }) => Date.parse(start_time) <= nowMs && nowMs < endOf(end_time),
  );
  const next = Object.fromEntries(current.map((window) => [window.site_id, window]));
  const ends = Object.values(followed).filter(({ site_id }) => next[site_id] === undefined);
  const starts = current.filter(({ site_id, commitment }) => followed[site_id]?.commitment !== commitment);
  return {
    signals: [
      ...ends.map((window) => ({ isStart: false, window })),
      ...starts.map((window) => ({ isStart: true, window })),
    ],
    followed: next,
    nextAtMs: nextMoment(windows, nowMs),
  };
};

const endOf = (endTime: string | null): number => (endTime === null ? Number.POSITIVE_INFINITY : Date.parse(endTime));

const nextMoment = (windows: readonly CurtailmentWindow[], nowMs: number): number =>
  windows
    .flatMap(({ start_time, end_time }) => [Date.parse(start_time), endOf(end_time)])
    .filter((at) => at > nowMs)
    .reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
