import { getSharedEnergy, operator } from "@curtail/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { intervalsBetween, untilLooked, uploadIntervals } from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import {
  at,
  dispatched,
  expectRecomputed,
  hour,
  linesOf,
  load,
  made,
  PENALTY,
  participant,
  prepareEach,
  program,
  service,
} from "../../support/paid-once-story.js";
import type { Participant } from "../../support/running.js";
import { DOLLAR, setTerms, statementOf } from "../../support/settling.js";
import { rowsOfBoth } from "../../support/table-rows.js";

beforeEach(prepareEach);

const sharedBy = async (id: string) => {
  const { items } = await service.made(operator.getAnySharedEnergy, { params: { id } });
  return items.map((each) => [each.dispatch_id, each.program_name, each.paid, each.sites, each.intervals]);
};

const asked = (caller: Participant, id: string) => caller.call(getSharedEnergy, { params: { id } });

describe("two programs over the same hour", () => {
  test("pay 50 kW that were dropped once for 50 kWh, in the dispatch that was issued first", async () => {
    const [one, other] = [await program("Summer Peak"), await program("Fast Reserve")];
    for (const id of [one, other]) await setTerms(service, id, { ...DOLLAR, penalty: PENALTY });
    await load();
    const first = await dispatched(one, hour("10", "18:00", "19:00"));
    const second = await dispatched(other, hour("10", "18:30", "19:30"));
    const id = await made();
    const statement = await statementOf(service, id);
    const here = "; 60 intervals that Fast Reserve claims, too, are paid here";
    const there = "; 60 of 120 intervals are paid in Summer Peak, which comes first";
    expect(linesOf(statement, "energy")).toEqual([
      [second, "25.000", "25.00", `delivered${there}`],
      [first, "50.000", "50.00", `delivered${here}`],
    ]);
    // 48 kWh are committed, of which half an hour is neither paid nor missing.
    expect(linesOf(statement, "penalty")).toEqual([
      [second, "0.000", "0.00", `not below 100 % of the commitment${there}`],
      [first, "0.000", "0.00", `not below 100 % of the commitment${here}`],
    ]);
    const shared = statement.sites.flatMap(({ lines }) => lines.flatMap((line) => line.shared_with));
    expect(shared).toContainEqual({ dispatch_id: first, intervals: 60, paid: "there" });
    expect(shared).toContainEqual({ dispatch_id: second, intervals: 60, paid: "here" });
    expect(statement.programs.map(({ rules_version }) => rules_version)).toEqual([2, 2]);
    await expectRecomputed(id);
    expect([await sharedBy(first), await sharedBy(second)]).toEqual([
      [[second, "Fast Reserve", "here", 1, 60]],
      [[first, "Summer Peak", "there", 1, 60]],
    ]);

    await service.made(operator.changeDispatch, {
      params: { id: first },
      body: { authorized: false, void_reason: "a mistake" },
    });
    await untilLooked(service, async () => (await statementOf(service, id)).versions.length === 2);
    expect(linesOf(await statementOf(service, id), "energy")).toEqual([[second, "50.000", "50.00", "delivered"]]);
    await expectRecomputed(id);
    expect(await sharedBy(second)).toEqual([]);
  });

  test("are named in results, reports and files, with the one that is paid; others see only their own sites", async () => {
    const [one, other] = [await program("Summer Peak"), await program("Fast Reserve")];
    for (const id of [one, other]) await setTerms(service, id, DOLLAR);
    const neighbour = await service.newParticipant();
    await service.made(operator.enrolSite, {
      params: { id: other, site_id: firstOf(neighbour).siteId },
      body: { commitment: 10 },
    });
    await load();
    const first = await dispatched(one, hour("10", "18:00", "19:00"));
    const second = await dispatched(other, hour("10", "18:30", "19:30"));
    const own = { from: "2026-06-10", to: "2026-06-10" };
    const files = [
      `dispatches/${second}/performance/download`,
      "reports/performance/download?by=dispatch_site&from=2026-06-10&to=2026-06-10",
    ];
    for (const path of files) {
      const { csv, parquet } = await rowsOfBoth(service, `/operator/v1/${path}`);
      const rowOf = (account: string) =>
        csv.find((each) => each["dispatch_id"] === second && each["account_id"] === account);
      const { accountId } = participant;
      expect(rowOf(accountId)).toMatchObject({ shared_with: first, paid_in: first, intervals_paid_elsewhere: 60 });
      expect(rowOf(neighbour.accountId)).toMatchObject({
        shared_with: null,
        paid_in: null,
        intervals_paid_elsewhere: 0,
      });
      expect(parquet.map((each) => each["paid_in"])).toEqual(csv.map((each) => each["paid_in"]));
    }
    const { items } = await service.made(operator.listDispatchResults, { query: {} });
    expect(items.map((each) => [each.dispatch_id, each.paid_elsewhere_sites])).toEqual([
      [second, 1],
      [first, 0],
    ]);
    const report = await service.made(operator.getAnyPerformanceReport, { query: { ...own, by: "program" } });
    // Half of the hour is paid in the first; what was delivered in it counts in both rows.
    expect(report.rows.map((row) => [row.program_name, row.paid_elsewhere, row.paid_elsewhere_hours])).toEqual([
      ["Fast Reserve", 1, 0.5],
      ["Summer Peak", 0, 0],
    ]);
    expect(report.total).toMatchObject({ call_hours: 2, paid_elsewhere_hours: 0.5 });
    // Of one program alone, too: what is paid elsewhere is paid in another one.
    const narrowed = await service.made(operator.getAnyPerformanceReport, { query: { ...own, program_id: other } });
    expect(narrowed.total.paid_elsewhere).toBe(1);

    expect((await asked(participant, second)).body).toMatchObject({ items: [{ dispatch_id: first, paid: "there" }] });
    // The neighbour has a site in the second dispatch, and hears nothing of the first.
    expect((await asked(neighbour, second)).body).toEqual({ dispatch_id: second, items: [], item_count: 0 });
    expect((await asked(neighbour, first)).status).toBe(404);
  });
});

test("a dispatch of another month that was issued first is paid, and its own statement says so", async () => {
  const one = await program("Summer Peak");
  await setTerms(service, one, DOLLAR);
  at(service, "2026-07-02T00:00:00Z");
  const { meterId } = firstOf(participant);
  const week = ["2026-06-25T00:00:00Z", "2026-07-02T00:00:00Z"] as const;
  const curtailed = [Date.parse("2026-06-30T23:00:00Z"), Date.parse("2026-07-01T01:00:00Z")] as const;
  await uploadIntervals(
    participant,
    meterId,
    intervalsBetween(week, 300, (endMs) => (endMs > curtailed[0] && endMs <= curtailed[1] ? 50 : 100)),
  );
  const july = await dispatched(one, ["2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z"]);
  const june = await dispatched(one, ["2026-06-30T23:00:00Z", "2026-07-01T00:30:00Z"]);
  const [inJune, inJuly] = [await made("2026-06"), await made("2026-07")];
  expect(linesOf(await statementOf(service, inJune), "energy")).toEqual([
    [june, "50.000", "50.00", "delivered; 60 of 180 intervals are paid in Summer Peak, which comes first"],
  ]);
  expect(linesOf(await statementOf(service, inJuly), "energy")).toEqual([
    [july, "50.000", "50.00", "delivered; 60 intervals that Summer Peak claims, too, are paid here"],
  ]);
  for (const id of [inJune, inJuly]) await expectRecomputed(id);
  await service.made(operator.changeDispatch, {
    params: { id: july },
    body: { authorized: false, void_reason: "a mistake" },
  });
  await untilLooked(service, async () => (await statementOf(service, inJune)).versions.length === 2);
  expect(linesOf(await statementOf(service, inJune), "energy")).toEqual([[june, "75.000", "75.00", "delivered"]]);
});
