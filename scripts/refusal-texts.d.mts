interface RefusalText {
  /** English, with `{}` for each value. */
  readonly text: string;
  /** Path from the root. */
  readonly file: string;
  readonly line: number;
}

interface RefusingModule {
  readonly file: string;
}

export declare const refusalTexts: () => readonly RefusalText[];
export declare const moduleOf: (file: string, source: string) => RefusingModule;
export declare const textsOf: (module: RefusingModule, modules?: readonly RefusingModule[]) => readonly RefusalText[];
