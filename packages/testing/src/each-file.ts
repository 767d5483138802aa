import { afterAll, afterEach } from "vitest";
import { endAll } from "./at-end.js";
import { takeFaults } from "./held-replies.js";
import { setPropertyDefaults } from "./property-runs.js";

setPropertyDefaults();

// Vitest evaluates this file for every test file, even where the files of a worker share their other modules.

// Checks every reply of every test against the OpenAPI documents, from services in this process and in others.
const expectNoFaults = async (): Promise<void> => {
  const faults = await takeFaults();
  if (faults.length > 0) throw new Error(`replies are not as the contract has them:\n${faults.join("\n")}`);
};

afterEach(expectNoFaults);
// Runs last: checks replies sent between tests, and at the end.
afterAll(expectNoFaults);
// A database of some gigabytes takes its time.
afterAll(endAll, 5 * 60_000);
