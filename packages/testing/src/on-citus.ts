import { test } from "vitest";

/** Addresses of the nodes of a cluster that the tests run on, the coordinator first; null: they start a PostgreSQL of their own. */
// oxlint-disable-next-line no-process-env -- vitest has no arguments of its own for its tests.
export const ON_CITUS: string | null = process.env["TEST_CITUS_URL"] ?? null;

/**
 * Like `test`, and skipped on a cluster.
 *
 * @param _why what the test does that no cluster allows
 */
export const testOffCitus = (_why: string): typeof test => test.skipIf(ON_CITUS !== null) as typeof test;
