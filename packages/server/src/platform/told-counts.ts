/** A count of something in a scope, by name. */
export interface ToldCount {
  readonly scope: string;
  readonly name: string;
  readonly count: number;
}

/** Counts that processes tell each other, so that a limit holds for all of them together. */
export interface ToldCounts {
  /** Never throws and never waits: a count that cannot be told is lost. */
  tell(count: ToldCount): void;
  /** Calls `take` for each count of a scope that another process tells. */
  hear(scope: string, take: (name: string, count: number) => void): void;
}
