type End = () => Promise<void>;

const ends: End[] = [];

/**
 * Runs when the test file is over, the latest first, whoever asks: a file, a hook or a test. An `afterAll` that a hook or
 * a test asks for is never run by vitest, and does not say so.
 */
export const atEnd = (end: End): void => void ends.push(end);

/** Ends what the test file started; the next file of the worker begins with nothing. */
export const endAll = async (): Promise<void> => {
  const failures: unknown[] = [];
  for (const end of ends.splice(0).toReversed()) await end().catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, "not everything that the test file started could be ended");
};
