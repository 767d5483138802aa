import { beforeEach, expect, test } from "vitest";
import type { Scenario } from "../../../src/sandbox/domain/scenario.js";
import { RunCloser } from "../../../src/sandbox/operations/close-runs.js";

const NOW = new Date(Date.UTC(2026, 0, 1));

/** An account's run until in half an hour. */
const run = {
  id: "run",
  speed: 1,
  replacedAt: null,
  dispatches: [[{ start: NOW, end: new Date(NOW.getTime() + 1_800_000), changedAt: NOW, authorized: true }]],
} as unknown as Scenario;

let unjudged: Scenario[];
/** What happens while the database is asked. */
let meanwhile: () => void;
let judged: string[];

const closer = new RunCloser({
  clock: { now: () => NOW },
  scenarios: {
    unjudgedOf: async () => {
      const found = [...unjudged];
      meanwhile();
      return found;
    },
  },
  readings: { accounts: async () => [], forget: async () => false },
  reportOf: async ({ id }) => {
    judged.push(id);
    unjudged = [];
  },
});

beforeEach(() => {
  [unjudged, judged, meanwhile] = [[run], [], () => {}];
});

test("a run that is replaced while its account is looked at is judged by the next look", async () => {
  closer.note("account", null);
  meanwhile = () => {
    unjudged = [{ ...run, replacedAt: NOW }];
    closer.note("account", null);
  };
  await closer.look();
  meanwhile = () => {};
  await closer.look();
  expect(judged).toEqual(["run"]);
});

test("an account whose look failed is looked at again", async () => {
  unjudged = [{ ...run, replacedAt: NOW }];
  closer.note("account", null);
  meanwhile = () => {
    throw new Error("no database");
  };
  await expect(closer.look()).rejects.toThrow("no database");
  meanwhile = () => {};
  await closer.look();
  expect(judged).toEqual(["run"]);
});
