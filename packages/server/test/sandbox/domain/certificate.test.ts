import { expect, test } from "vitest";
import { certifyingRuns, channelsOf, type FinalRun } from "../../../src/sandbox/domain/certificate.js";
import type { Criterion, CriterionName } from "../../../src/sandbox/domain/report.js";
import type { ScenarioType } from "../../../src/sandbox/domain/scenario.js";

const at = (second: number): Date => new Date(Date.UTC(2026, 5, 1, 12, 0, second));

const criterion = (name: CriterionName, result: Criterion["result"] = "passed"): Criterion => ({
  name,
  result,
  dispatchId: "dis_1",
  siteId: null,
  at: at(0),
  detail: "",
});

const run = (id: string, type: ScenarioType, criteria: readonly Criterion[]): FinalRun => ({
  scenario: { id, accountId: "acc_1", type, name: null, speed: 1, createdAt: at(0), replacedAt: null, dispatches: [] },
  criteria,
  keyId: "key_1",
});

const common = (["notified", "fetched", "update_fetched", "curtailed_in_time"] as const).map((name) => criterion(name));
const update = run("scn_update", "update", [...common, criterion("returned_after")]);
const cancellation = run("scn_cancellation", "cancellation", [...common, criterion("stopped_on_cancel")]);

const idsOf = (runs: readonly FinalRun[] | null) => runs?.map(({ scenario }) => scenario.id);

test("one passed run of each required scenario certifies, in whatever order; the newest is named", () => {
  expect(idsOf(certifyingRuns([cancellation, update]))).toEqual(["scn_update", "scn_cancellation"]);
  const newer = { ...update, scenario: { ...update.scenario, id: "scn_newer" } };
  expect(idsOf(certifyingRuns([newer, update, cancellation]))).toEqual(["scn_newer", "scn_cancellation"]);
});

test("a failed run is passed over for an older one that passed", () => {
  const failed = run("scn_failed", "update", [...common, criterion("returned_after", "failed")]);
  expect(idsOf(certifyingRuns([failed, update, cancellation]))).toEqual(["scn_update", "scn_cancellation"]);
});

test.each([
  ["one of them alone", [update]],
  ["none", []],
  ["a run with a criterion that was not seen", [update, run("a", "cancellation", [criterion("notified", "not_seen")])]],
  ["a run without criteria", [update, run("a", "cancellation", [])]],
  ["other scenarios", [run("a", "basic", common), run("b", "custom", common), update]],
  [
    "runs that together do not check everything",
    [run("a", "update", common), run("b", "cancellation", [...common, criterion("stopped_on_cancel")])],
  ],
])("%s certifies nothing", (_, runs) => {
  expect(certifyingRuns(runs)).toBeNull();
});

test("the channels are those that carried a dispatch; a poll before the notice carried none", () => {
  const get = { by: "get" as const, dispatchId: "dis_1", number: 0, firstAt: at(2) };
  const answered = [{ dispatchId: "dis_1", at: at(3) }];
  expect(channelsOf({ answered, firstReads: [get] })).toEqual(["webhook", "polling"]);
  expect(channelsOf({ answered, firstReads: [{ ...get, dispatchId: "", firstAt: at(0) }] })).toEqual(["webhook"]);
  expect(channelsOf({ answered: [], firstReads: [{ ...get, by: "openadr2" }] })).toEqual(["openadr"]);
  expect(channelsOf({ answered: [], firstReads: [] })).toEqual([]);
});
