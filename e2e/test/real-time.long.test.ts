import { describe } from "vitest";
import { testChaosOfRecipients } from "./real-time/chaos-recipients.js";
import { testOpenTransaction } from "./real-time/open-transaction.js";
import { testSandboxRestart } from "./real-time/sandbox-restart.js";
import { testStart } from "./real-time/start.js";
import { testTutorial } from "./real-time/tutorial.js";

// These wait for minutes of the real clock, so they wait concurrently.
describe.concurrent("by the real clock", () => {
  testChaosOfRecipients();
  testOpenTransaction();
  testSandboxRestart();
  testStart();
  testTutorial();
});
