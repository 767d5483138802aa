import { getSharedEnergy, operator } from "@curtail/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { dispatchBetween, intervalsBetween, untilLooked, uploadIntervals } from "../../support/measuring.js";
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
import { DOLLAR, setTerms, statementOf, upgradedInJune } from "../../support/settling.js";
import { rowsOfBoth } from "../../support/table-rows.js";

beforeEach(prepareEach);

describe("two programs over the same hour", () => {
  test("leave nothing of a dispatch whose intervals are all paid elsewhere: no factor, no penalty", async () => {
    const [one, other] = [await program("Summer Peak", 20), await program("Fast Reserve", 200)];
    const capacity = { price_per_kw: "1", factor: { lowest: "0", highest: "1" } };
    await setTerms(service, one, DOLLAR);
    await setTerms(service, other, { ...DOLLAR, capacity, penalty: PENALTY });
    await load();
    await dispatched(one, hour("10", "18:00", "20:00"));
    const inside = await dispatched(other, hour("10", "18:30", "19:00"));
    const id = await made();
    const statement = await statementOf(service, id);
    const there = "60 of 60 intervals are paid in Summer Peak, which comes first";
    expect(linesOf(statement, "energy")[0]).toEqual([inside, "0.000", "0.00", `not paid here; ${there}`]);
    expect(linesOf(statement, "penalty")).toEqual([[inside, null, "0.00", `not judged here; ${there}`]]);
    expect(linesOf(statement, "capacity")).toEqual([
      [null, "200.000", "200.00", "no dispatch to judge by; 1 dispatch paid elsewhere"],
    ]);
    await expectRecomputed(id);
  });

  test("compete only with a line that can be paid: no tests, no program without a price, no commitment that is needed", async () => {
    const [one, other, free, limited] = [
      await program("Summer Peak"),
      await program("Fast Reserve"),
      await program("Unpaid"),
      await program("Limited", null),
    ];
    await setTerms(service, one, DOLLAR);
    await setTerms(service, other, DOLLAR);
    await setTerms(service, free, { penalty: PENALTY });
    await setTerms(service, limited, { energy: { ...DOLLAR.energy, highest_share: "1" } });
    await load();
    await dispatchBetween(service, one, hour("10", "18:00", "19:00"), { test: true });
    await dispatched(free, hour("10", "18:00", "19:00"));
    const needing = await dispatched(limited, hour("10", "18:00", "19:00"));
    const paid = await dispatched(other, hour("10", "18:00", "19:00"));
    const id = await made();
    expect(linesOf(await statementOf(service, id), "energy")).toEqual([
      [paid, "50.000", "50.00", "delivered"],
      [needing, null, "0.00", "no commitment is agreed"],
    ]);
    await expectRecomputed(id);
  });
});

const sharedIn = async (id: string) =>
  (await statementOf(service, id)).sites.flatMap(({ lines }) =>
    lines.flatMap(({ dispatch_id, shared_with }) =>
      shared_with.map(({ dispatch_id: other, paid }) => [dispatch_id, other, paid]),
    ),
  );

const annul = (id: string) => service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });

test("a dispatch of days before or after the month that is voided gives its intervals back", async () => {
  const one = await program("Summer Peak");
  await setTerms(service, one, DOLLAR);
  at(service, "2026-07-02T00:00:00Z");
  const after = await dispatchBetween(service, one, ["2026-07-03T10:00:00Z", "2026-07-03T11:00:00Z"]);
  service.clock.advance({ seconds: 60 });
  const long = await dispatchBetween(service, one, ["2026-06-28T00:00:00Z", "2026-07-03T12:00:00Z"]);
  service.clock.advance({ seconds: 60 });
  const last = await dispatchBetween(service, one, ["2026-07-03T11:30:00Z", "2026-07-03T12:00:00Z"]);
  const [inJune, inJuly] = [await made("2026-06"), await made("2026-07")];
  expect(await sharedIn(inJune)).toEqual([
    [long, after, "there"],
    [long, last, "here"],
  ]);
  expect(await sharedIn(inJuly)).toEqual([
    [after, long, "here"],
    [last, long, "there"],
  ]);
  await annul(after);
  await untilLooked(service, async () => (await sharedIn(inJune)).length === 1);
  await annul(last);
  await untilLooked(service, async () => (await sharedIn(inJune)).length === 0);
  await untilLooked(service, async () => (await sharedIn(inJuly)).length === 0);
});

test("capacity in two programs is paid for the larger commitment, the earlier enrolment first, for the days that it holds", async () => {
  const [one, other] = [await program("Summer Peak", 40), await program("Fast Reserve", 100)];
  for (const id of [one, other]) await setTerms(service, id, { capacity: { price_per_kw: "3", factor: null } });
  const id = await made();
  expect(linesOf(await statementOf(service, id), "capacity")).toEqual([
    [
      null,
      "60.000",
      "180.00",
      "commitment of the month; what is committed in Summer Peak, enrolled earlier, is paid there",
    ],
    [null, "40.000", "120.00", "commitment of the month; paid here first: Fast Reserve has the same capacity"],
  ]);
  await expectRecomputed(id);
  at(service, "2026-06-16T09:00:00Z");
  await service.made(operator.withdrawSite, { params: { id: one, site_id: firstOf(participant).siteId } });
  await untilLooked(service, async () => (await statementOf(service, id)).versions.length === 2);
  expect(linesOf(await statementOf(service, id), "capacity").map(([, kw, amount]) => [kw, amount])).toEqual([
    ["80.000", "240.00"],
    ["20.000", "60.00"],
  ]);
  await expectRecomputed(id);
});

describe("after an upgrade", () => {
  test("months before it keep their rules: late readings restate them by those, and nothing else does", async () => {
    await upgradedInJune(service);
    const [one, other] = [await program("Summer Peak"), await program("Fast Reserve")];
    const capacity = { price_per_kw: "1", factor: { lowest: "0", highest: "0.5" } };
    for (const id of [one, other]) await setTerms(service, id, { ...DOLLAR, capacity });
    await load();
    const first = await dispatched(one, hour("10", "18:00", "19:00"));
    const second = await dispatched(other, hour("10", "18:00", "19:00"));
    const id = await made();
    const statement = await statementOf(service, id);
    expect(statement.programs.map(({ rules_version }) => rules_version)).toEqual([1, 1]);
    expect(linesOf(statement, "energy")).toEqual([
      [second, "50.000", "50.00", "delivered"],
      [first, "50.000", "50.00", "delivered"],
    ]);
    await expectRecomputed(id);
    at(service, "2026-07-20T00:00:00Z");
    const { meterId } = firstOf(participant);
    await uploadIntervals(
      participant,
      meterId,
      intervalsBetween(hour("10", "18:00", "19:00"), 300, () => 60),
    );
    await untilLooked(service, async () => (await statementOf(service, id)).versions.length >= 2);
    const restated = await statementOf(service, id);
    expect(restated.programs.map(({ rules_version }) => rules_version)).toEqual([1, 1]);
    expect(linesOf(restated, "energy").map(([, quantity]) => quantity)).toContain("40.000");
    expect(linesOf(restated, "capacity").map(([, kw]) => kw)).toEqual(["48.000", "48.000"]);
    await expectRecomputed(id);
    const july = await statementOf(service, await made("2026-07"));
    expect(july.programs.map(({ rules_version }) => rules_version)).toEqual([2, 2]);
    expect(linesOf(july, "capacity").map(([, kw, amount]) => [kw, amount])).toEqual([
      ["0.000", "0.00"],
      ["48.000", "24.00"],
    ]);
  });
});

const asked = (caller: Participant, id: string) => caller.call(getSharedEnergy, { params: { id } });

describe("two programs over the same hour", () => {
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
