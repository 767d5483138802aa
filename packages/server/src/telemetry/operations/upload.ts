/** Readings as they were sent, some at a time: a large upload read at once would make everybody else wait. */
export interface Upload<T> {
  readonly count: number;
  /** Each batch is as large as others can wait for. */
  batches(): AsyncIterable<readonly T[]>;
}
