/** The database's time, which decides what is due. */
export interface Clock {
  now(): Date;
}

/** The clock that the service's loops sleep on. In tests, moving the clock wakes them. */
export interface LoopClock extends Clock {
  /** Returns after `ms` or when the signal aborts; never throws. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Never goes back, and does not depend on the database clock. */
  monotonicMs(): number;
}

/** Makes opaque, unguessable ids: `dis_…`, `site_…`. */
export type NewId = (prefix: string) => string;
