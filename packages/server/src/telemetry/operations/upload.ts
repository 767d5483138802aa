/** Readings as sent, in batches: parsing a large upload at once would make others wait. */
export interface Upload<T> {
  readonly count: number;
  /** Each batch is small enough not to keep others waiting. */
  batches(): AsyncIterable<readonly T[]>;
}
