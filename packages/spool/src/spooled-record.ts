/** A record as it was appended. */
export interface SpooledRecord {
  /** 0 for the first record of a spool, then 1 more for each. */
  readonly position: number;
  /** When it was appended, in milliseconds of Unix time. */
  readonly atMs: number;
  /** Its bytes. */
  readonly payload: Uint8Array;
}
