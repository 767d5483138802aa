import { onTestFinished, TestRunner } from "vitest";

type End = () => Promise<void>;

const ends: End[] = [];

/**
 * Runs `end` after the test file, in reverse order; callable from a file, a hook or a test. Vitest silently ignores an
 * `afterAll` that is registered in a hook or a test.
 */
export const atEnd = (end: End): void => void ends.push(end);

/** Runs `end` after the test in which it is called, else after the test file: what a hook starts, all its tests use. */
export const atEndOfUse = (end: End): void =>
  TestRunner.getCurrentTest() === undefined ? atEnd(end) : onTestFinished(end);

/** Ends what the test file started; the worker's next file starts clean. */
export const endAll = async (): Promise<void> => {
  const failures: unknown[] = [];
  for (const end of ends.splice(0).toReversed()) await end().catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, "not everything that the test file started could be ended");
};
