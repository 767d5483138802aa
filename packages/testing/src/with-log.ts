import { test } from "vitest";

/** After how many seconds services of tests fold their log of readings; undefined: they have none. */
// oxlint-disable-next-line no-process-env -- vitest has no arguments of its own for its tests.
export const FOLD_AFTER: string | undefined = process.env["TEST_FOLD_AFTER"];

/**
 * Like `test`, and skipped where services append readings to a log.
 *
 * @param _why what the test knows of rows
 */
export const testOffLog = (_why: string): typeof test => test.skipIf(FOLD_AFTER !== undefined) as typeof test;
