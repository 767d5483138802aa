/** What a run of vitest came to. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that failed at first, and were run once more. */
  readonly repeated: number;
  readonly failedFiles: readonly string[];
  /** Tests that passed in files that failed. */
  readonly passedBeside: number;
  /** One for each failure, with the beginning of its message. */
  readonly failures: readonly string[];
}

interface Assertion {
  readonly status: "passed" | "failed" | "skipped";
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}

/** What is read of vitest's JSON. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: ReadonlyArray<{
    readonly name: string;
    readonly status: "passed" | "failed";
    readonly message: string;
    readonly assertionResults: readonly Assertion[];
  }>;
}

export declare const countsOf: (report: VitestReport) => TestCounts;
/** The result of a run and of its failed files once more. */
export declare const together: (first: TestCounts, second: TestCounts) => TestCounts;
