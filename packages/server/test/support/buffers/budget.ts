export interface Bound {
  /** Buffers of 8 KB. */
  readonly most: number;
  /** More for each site of the fleet: what shows or counts all of them. */
  readonly perSite?: number;
  readonly why: string;
}

/** Most buffers of a statement on a hot path that has no bound of its own. */
export const MOST_BUFFERS = 250;

/** Statements that need more, by their names. None of them reads more when the past grows. */
export const bounds: Readonly<Record<string, Bound>> = {};

/** Named statements that no look, poll, upload or dispatch runs, with what runs them. */
export const elsewhere: Readonly<Record<string, string>> = {};
