export interface LongPart {
  readonly name: string;
  /** Globs of long test files. */
  readonly tests: readonly string[];
  /** Globs of what they test. */
  readonly sources: readonly string[];
  /** Whether it runs only where the whole lane is asked for. */
  readonly isLongest?: boolean;
}

export declare const PARTS: readonly LongPart[];
/** The parts to run after a change; null: nobody knows what changed. */
export declare const partsFor: (of: {
  readonly changed: readonly string[] | null;
  readonly isWhole: boolean;
}) => readonly LongPart[];
/** Names of the parts that a long test file belongs to. */
export declare const partsOf: (file: string) => readonly string[];
