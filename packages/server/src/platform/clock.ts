/** The database's time, which decides what is due. */
export interface Clock {
  now(): Date;
}

/** A clock that loops of the service rest by. The clock of tests wakes them when it is moved. */
export interface LoopClock extends Clock {
  /** Ends after so long, or once the signal is aborted; never throws. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Never goes back, and does not depend on the database clock. */
  monotonicMs(): number;
}

/** Makes opaque, unguessable ids: `dis_…`, `site_…`. */
export type NewId = (prefix: string) => string;
