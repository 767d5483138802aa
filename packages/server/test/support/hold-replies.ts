import { afterAll, afterEach } from "vitest";
import { takeFaults } from "./held-replies.js";

// Every reply of every test is held against the OpenAPI documents, of services in this process and of processes of their own.
const expectNoFaults = async (): Promise<void> => {
  const faults = await takeFaults();
  if (faults.length > 0) throw new Error(`replies are not as the contract has them:\n${faults.join("\n")}`);
};

afterEach(expectNoFaults);
// What is replied between tests.
afterAll(expectNoFaults);
