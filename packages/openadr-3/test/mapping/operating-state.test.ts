import { expect, test } from "vitest";
import type { ReportRequest } from "../../src/contract/report.js";
import { answerOf } from "../../src/mapping/operating-state.js";

const report = (states: Readonly<Record<string, readonly string[]>>): ReportRequest => ({
  eventID: "evt_1",
  clientName: "ven-1",
  resources: Object.entries(states).map(([resourceName, values]) => ({
    resourceName,
    intervals: values.map((value, id) => ({ id, payloads: [{ type: "OPERATING_STATE", values: [value] }] })),
  })),
});

test.each([
  "NORMAL",
  "IDLE_NORMAL",
  "RUNNING_NORMAL",
  "RUNNING_CURTAILED",
  "IDLE_CURTAILED",
  "RUNNING_HEIGHTENED",
  "IDLE_HEIGHTENED",
])("%s acknowledges the dispatch", (state) => {
  expect(answerOf(report({ a: [state] }))).toEqual({ opt: "optIn", state, resourceNames: ["a"] });
});

test.each(["IDLE_OPTED_OUT", "RUNNING_OPTED_OUT"])("%s opts out", (state) => {
  expect(answerOf(report({ a: [state] }))?.opt).toBe("optOut");
});

test.each(["ERROR", "SGD_ERROR_CONDITION"])("%s is no answer, but an error", (state) => {
  expect(answerOf(report({ a: [state] }))).toEqual({ opt: null, state, resourceNames: ["a"] });
});

test("the last state of a resource counts", () => {
  expect(answerOf(report({ a: ["RUNNING_OPTED_OUT", "RUNNING_CURTAILED"] }))?.opt).toBe("optIn");
});

test("one resource that opted out makes it an opt-out; one in error, an error", () => {
  expect(answerOf(report({ a: ["RUNNING_CURTAILED"], b: ["ERROR"], c: ["IDLE_OPTED_OUT"] }))).toEqual({
    opt: "optOut",
    state: "IDLE_OPTED_OUT",
    resourceNames: ["c"],
  });
  expect(answerOf(report({ a: ["RUNNING_CURTAILED"], b: ["ERROR"] }))).toEqual({
    opt: null,
    state: "ERROR",
    resourceNames: ["b"],
  });
});

test("the aggregate of several resources answers without naming one", () => {
  expect(answerOf(report({ AGGREGATED_REPORT: ["NORMAL"] }))).toEqual({
    opt: "optIn",
    state: "NORMAL",
    resourceNames: [],
  });
});

test("without a known state there is no answer", () => {
  expect(answerOf(report({ a: [] }))).toBeNull();
  expect(answerOf(report({ a: ["DANCING"] }))).toBeNull();
});
