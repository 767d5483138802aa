import { expect, test } from "vitest";
import { endsAtOnce } from "../../../src/app/commands/stop-signals.js";

test.each([
  ["the first", { signals: 1, sinceFirstMs: 0 }, false],
  ["a second, handed on by npm", { signals: 2, sinceFirstMs: 3 }, false],
  ["a second, however late", { signals: 2, sinceFirstMs: 60_000 }, false],
  ["a third within five seconds", { signals: 3, sinceFirstMs: 4999 }, false],
  ["a third after five seconds", { signals: 3, sinceFirstMs: 5000 }, true],
  ["a tenth after a minute", { signals: 10, sinceFirstMs: 60_000 }, true],
])("%s signal ends the service at once: %j, %s", (_which, asked, atOnce) => {
  expect(endsAtOnce(asked)).toBe(atOnce);
});
