/** Whether one of the globs of `*`, `**` and `{a,b}` names the path. */
export declare const matchesAny: (path: string, globs: readonly string[]) => boolean;
/** Paths of all test files, relative to the checkout, in order. */
export declare const testFiles: () => readonly string[];
/** Whether a test file belongs to the long lane. */
export declare const isLong: (path: string) => boolean;
