import { operator } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import {
  type StandingFilter,
  type StandingResults,
  standingResults,
} from "../../../src/performance/operations/standing-results.js";
import { standingReader } from "../../../src/performance/storage/standing-reader.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const JUNE = { fromMs: Date.parse("2026-06-01T00:00:00Z"), toMs: Date.parse("2026-07-01T00:00:00Z") };
const hour = (day: string, from: number) =>
  [`2026-06-${day}T${from}:00:00Z`, `2026-06-${day}T${from + 1}:00:00Z`] as const;

const standing = async (filter: StandingFilter): Promise<readonly StandingResults[]> => {
  const found: StandingResults[] = [];
  for await (const each of standingResults(standingReader(service.database.pool), JUNE, filter)) found.push(each);
  return found;
};

const ids = async (filter: StandingFilter) => (await standing(filter)).map(({ dispatch }) => dispatch.id);

test("the results of a period are those of the versions that stand, dispatch by dispatch", async () => {
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const participant = await service.newParticipant();
  const { siteId, meterId } = firstOf(participant);
  const load = (from: string, to: string, kw: number) =>
    uploadIntervals(
      participant,
      meterId,
      intervalsBetween([from, to], 300, () => kw),
    );
  await load("2026-06-05T00:00:00Z", "2026-06-12T00:00:00Z", 100);
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  const voided = await dispatchBetween(service, programId, hour("09", 18));
  const approved = await dispatchBetween(service, programId, hour("10", 18));
  const corrected = await dispatchBetween(service, programId, hour("11", 18));
  const upcoming = await dispatchBetween(service, programId, hour("30", 18));
  await dispatchBetween(service, programId, ["2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z"]);
  for (const id of [voided, approved, corrected]) await untilVersions(service, id, 1);
  await service.made(operator.approvePerformance, { params: { id: approved }, body: { version: 1, note: "agreed" } });
  await service.made(operator.changeDispatch, {
    params: { id: voided },
    body: { authorized: false, void_reason: "called by mistake" },
  });
  await load(...hour("10", 18), 60);
  await load(...hour("11", 18), 70);
  await untilVersions(service, corrected, 2);

  const found = await standing({ programId, siteId });
  expect(
    found.map(({ dispatch, standing, sites: [site] }) => [
      dispatch.id,
      standing?.version ?? null,
      site?.result?.performance.toDate.meanReductionKw ?? null,
    ]),
  ).toStrictEqual([
    [voided, 2, null],
    [approved, 2, 0],
    [corrected, 2, 30],
    [upcoming, null, null],
  ]);
  expect(found[3]?.sites).toMatchObject([{ siteId, commitmentKw: 40, result: null }]);
});

test("other accounts, sites and programs are not in the results", async () => {
  const participant = await service.newParticipant();
  const programId = await measuredProgram(service, [participant], { commitment: 40 });
  const id = await dispatchBetween(service, programId, hour("20", 18));
  const { accountId } = participant;
  expect(await ids({ accountId })).toStrictEqual([id]);
  expect(await ids({ accountId: "acc_other" })).toStrictEqual([]);
  expect(await ids({ siteId: "sit_other" })).toStrictEqual([]);
  expect(await ids({ accountId, programId: "prg_other" })).toStrictEqual([]);
});
