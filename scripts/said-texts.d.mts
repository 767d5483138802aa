interface SaidText {
  readonly key: string;
  /** English. */
  readonly text: string;
  /** Path from the root. */
  readonly file: string;
  /** Names of the values that are given; null if that cannot be read from the code. */
  readonly values: readonly string[] | null;
}

export declare const saidTexts: () => readonly SaidText[];
