import { afterAll, afterEach } from "vitest";
import { endAll } from "./at-end.js";
import { takeFaults } from "./held-replies.js";

// Vitest evaluates this file for every test file, also where the files of a worker share their other modules.

// Every reply of every test is held against the OpenAPI documents, of services in this process and of processes of their own.
const expectNoFaults = async (): Promise<void> => {
  const faults = await takeFaults();
  if (faults.length > 0) throw new Error(`replies are not as the contract has them:\n${faults.join("\n")}`);
};

afterEach(expectNoFaults);
// Runs last: holds what is replied between tests, and at the end.
afterAll(expectNoFaults);
afterAll(endAll);
