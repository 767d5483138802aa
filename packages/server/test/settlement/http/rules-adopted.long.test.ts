import { operator } from "@curtail/contract";
import { beforeEach, describe, expect, test } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  untilLooked,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { DOLLAR, penaltyBelow, setTerms, statementMade, statementOf, upgradedInJune } from "../../support/settling.js";

const PENALTY = penaltyBelow("0.8");
const REASON = "the settlement of June is by these rules";
const HOUR = ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"] as const;

let service: Running;
let participant: Participant;

beforeEach(async () => {
  service = await running();
  await upgradedInJune(service);
  service.clock.set(new Date("2026-05-31T00:00:00Z"));
  participant = await service.newParticipant();
});

const program = (name: string): Promise<string> => {
  service.clock.advance({ seconds: 60 });
  return measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 100, name });
};

const dispatched = async (programId: string): Promise<string> => {
  service.clock.advance({ seconds: 60 });
  const id = await dispatchBetween(service, programId, HOUR);
  await untilVersions(service, id, 1);
  return id;
};

const inHour = (endMs: number): boolean => endMs > Date.parse(HOUR[0]) && endMs <= Date.parse(HOUR[1]);

/** 100 kW, 50 kW in the hour: for a week, or since a moment. */
const load = async (from = "2026-06-05T00:00:00Z"): Promise<void> => {
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const week = intervalsBetween([from, "2026-06-12T00:00:00Z"], 300, (endMs) => (inHour(endMs) ? 50 : 100));
  await uploadIntervals(participant, firstOf(participant).meterId, week);
};

/** Two programs that pay the same hour twice by the first rules. */
const paidTwice = async (): Promise<readonly [first: string, second: string, statement: string]> => {
  const [one, other] = [await program("Summer Peak"), await program("Fast Reserve")];
  for (const id of [one, other]) await setTerms(service, id, DOLLAR);
  await load();
  const [first, second] = [await dispatched(one), await dispatched(other)];
  return [first, second, await statementMade(service, participant.accountId, "2026-06")];
};

const preview = (from_month = "2026-06") => service.made(operator.previewRules, { query: { from_month } });
const adopt = (from_month = "2026-06", reason = REASON) =>
  service.operator(operator.adoptRules, { body: { from_month, reason } });
const totalOf = (totals: ReadonlyArray<{ readonly total: string }>) => totals.map(({ total }) => total);
const untilTotal = (id: string, total: string) =>
  untilLooked(service, async () => totalOf((await statementOf(service, id)).totals).join() === total);

describe("the newest rules, adopted for an earlier month", () => {
  test("pay an hour once that was paid twice; the preview says so before, and stores nothing", async () => {
    const [first, second, id] = await paidTwice();
    const { items, next_cursor } = await preview();
    expect(next_cursor).toBeNull();
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ statement_id: id, month: "2026-06", version: 1, measured_again: true });
    expect([totalOf(items[0]?.before ?? []), totalOf(items[0]?.after ?? [])]).toEqual([["100.00"], ["50.00"]]);
    expect(items[0]?.changes.map(({ dispatch_id, from, to }) => [dispatch_id, from, to])).toEqual([
      [second, "50.00", "0.00"],
    ]);
    expect((await statementOf(service, id)).versions).toHaveLength(1);

    expect((await adopt()).status).toBe(200);
    // Statements and results follow, each by itself.
    await untilTotal(id, "50.00");
    for (const dispatch of [first, second]) await untilVersions(service, dispatch, 2);
    const statement = await statementOf(service, id);
    expect(totalOf(statement.totals)).toEqual(["50.00"]);
    expect(statement.programs.map(({ rules_version }) => rules_version)).toEqual([2, 2]);
    expect((await performanceOf(service, first)).versions.at(-1)).toMatchObject({
      reason: "rules",
      rules_version: 2,
      by: "operator",
      note: `version 2 of the rules was adopted from 2026-06 on: ${REASON}`,
    });
    expect(
      (await service.made(operator.listRules, {})).items.map(({ from_month, by, reason }) => [from_month, by, reason]),
    ).toEqual([
      ["2026-07", null, null],
      ["2026-06", "operator", REASON],
    ]);
    const audit = await service.made(operator.listAudit, { query: { action: "rules.adopt" } });
    expect(audit.items).toEqual([
      expect.objectContaining({ after: { rules_version: 2, from_month: "2026-06", reason: REASON } }),
    ]);
  });

  test("measure again: who sent no readings for a baseline has delivered nothing", async () => {
    const one = await program("Summer Peak");
    await setTerms(service, one, { ...DOLLAR, penalty: PENALTY });
    await load("2026-06-10T00:00:00Z");
    const dispatch = await dispatched(one);
    const id = await statementMade(service, participant.accountId, "2026-06");
    const { items } = await preview();
    // 80 of 100 kWh are missing, at 2 USD.
    expect([totalOf(items[0]?.before ?? []), totalOf(items[0]?.after ?? [])]).toEqual([["0.00"], ["-160.00"]]);
    await adopt();
    await untilVersions(service, dispatch, 2);
    await untilTotal(id, "-160.00");
    expect((await statementOf(service, id)).versions.at(-1)?.change_count).toBe(1);
  });

  test("leave what was approved: its month is refused, and so is its preview", async () => {
    const [, , id] = await paidTwice();
    service.clock.set(new Date("2026-07-02T00:00:00Z"));
    await service.made(operator.approveStatement, { params: { id }, body: { version: 1, note: "paid" } });
    const words = "statements of 2026-06 are approved and keep their rules; choose a month from 2026-07 on";
    for (const month of ["2026-05", "2026-06"]) {
      expect(await adopt(month)).toMatchObject({ status: 400, body: { message: expect.stringContaining(words) } });
    }
    const refused = await service.operator(operator.previewRules, { query: { from_month: "2026-06" } });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(words) } });
    service.clock.advance({ seconds: 120 });
    const statement = await statementOf(service, id);
    expect([statement.versions.length, totalOf(statement.totals)]).toEqual([2, ["100.00"]]);
  });

  test("are refused without a reason, and for months in which they hold", async () => {
    expect((await adopt("2026-06", " ")).status).toBe(400);
    expect(await adopt("2026-07")).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("the newest rules hold from 2026-07 on already") },
    });
    expect((await adopt("2026-13")).status).toBe(400);
    expect((await service.made(operator.listRules, {})).items).toHaveLength(1);
  });

  test("keep an approved result, and one whose time for corrections is over", async () => {
    const [first, second, id] = await paidTwice();
    await service.made(operator.approvePerformance, {
      params: { id: first },
      body: { version: 1, note: "agreed" },
    });
    await service.database.pool.query("update dispatches set corrections_days = 1 where id = $1", [second]);
    service.clock.set(new Date("2026-06-20T00:00:00Z"));
    const { items } = await preview();
    expect(totalOf(items[0]?.after ?? [])).toEqual(["50.00"]);
    await adopt();
    await untilTotal(id, "50.00");
    const { versions } = await performanceOf(service, first);
    expect(versions.find(({ standing }: { standing: string }) => standing === "standing")).toMatchObject({
      reason: "approved",
    });
  });
});

test("a preview of many statements goes from page to page", async () => {
  const one = await program("Summer Peak");
  await setTerms(service, one, DOLLAR);
  const months = ["2026-04", "2026-05", "2026-06"];
  for (const month of months) await statementMade(service, participant.accountId, month).catch(() => null);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.made(operator.previewRules, {
      query: { from_month: "2026-01", limit: 1, ...(cursor !== undefined && { cursor }) },
    });
    seen.push(...page.items.map(({ month }) => month));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(["2026-06", "2026-05"]);
});
