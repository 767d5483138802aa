import { downloadStatementInputs, getStatement, listStatements, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { statementOf } from "../../support/settling.js";
import {
  ALL,
  approve,
  at,
  delivered,
  hour,
  linesOf,
  made,
  prepare,
  service,
  untilVersion,
} from "../../support/statement-story.js";

beforeAll(prepare);

describe("a statement", () => {
  test("has a line for each amount, traced to the versions of results", async () => {
    const settled = await delivered();
    const statement = await statementOf(service, await made(settled));
    const { first, second, siteId, programId } = settled;
    expect(linesOf(statement)).toEqual([
      // 50 of 80 kWh were delivered: 40 kW × 4.5 × 0.625.
      ["capacity", null, null, "112.50"],
      ["energy", first, 1, "4.00"],
      ["energy", second, 1, "1.00"],
      ["penalty", first, 1, "0.00"],
      // 32 kWh were due, 10 came: 22 × 0.5.
      ["penalty", second, 1, "-11.00"],
    ]);
    expect(statement).toMatchObject({
      account_id: settled.participant.accountId,
      month: "2026-06",
      state: "provisional",
      version: 1,
      waiting: [],
      programs: [{ id: programId, timezone: "UTC", from_month: "2026-01", terms: ALL }],
      totals: [
        { currency: "USD", capacity: "112.50", energy: "5.00", penalty: "-11.00", cap: "0.00", total: "106.50" },
      ],
      sites: [{ site_id: siteId, commitment_kw: 40, total: "106.50" }],
    });
    expect(statement.sites[0]?.lines[1]).toMatchObject({
      quantity: "40.000",
      unit: "kWh",
      price: "0.1",
      start_time: hour("10")[0],
    });
    at("2026-07-01T00:00:00Z");
    expect((await statementOf(service, statement.id)).state).toBe("complete");
  });

  test("is restated by a late reading, with what changed", async () => {
    const settled = await delivered();
    const id = await made(settled);
    await settled.load(hour("11"), 80);
    await untilVersion(id, 2);
    const statement = await statementOf(service, id);
    expect(statement.version).toBe(2);
    expect(statement.versions.map(({ reason, standing }) => [reason, standing])).toEqual([
      ["made", "superseded"],
      ["restated", "standing"],
    ]);
    const { second, siteId } = settled;
    expect(statement.versions[1]?.changes).toMatchObject([
      { kind: "capacity", site_id: siteId, dispatch_id: null, from: "112.50", to: "135.00" },
      {
        kind: "energy",
        dispatch_id: second,
        from: "1.00",
        to: "2.00",
        words: "result version 1 → 2; 10.000 → 20.000 kWh",
      },
      { kind: "penalty", dispatch_id: second, from: "-11.00", to: "-6.00" },
    ]);
    const before = await statementOf(service, id, 1);
    expect(before.totals).toMatchObject([{ total: "106.50" }]);
    expect(linesOf(before)[4]).toEqual(["penalty", second, 1, "-11.00"]);
  });
});

describe("an approved statement", () => {
  test("does not change any more: later versions stand beside it, until one is approved", async () => {
    const settled = await delivered();
    const id = await made(settled);
    expectError(await approve(id, 1), 400, /2026-06 is not over/);
    at("2026-07-01T00:00:00Z");
    expectError(await approve(id, 1, " "), 400, /note/);
    expectError(await approve(id, 2), 400, /version 2 is not the newest; look at version 1/);
    expect((await approve(id, 1)).body).toEqual({ id, version: 2 });
    await settled.load(hour("11"), 80);
    await untilVersion(id, 3);
    const approved = await statementOf(service, id);
    expect(approved).toMatchObject({ state: "approved", version: 2, totals: [{ total: "106.50" }] });
    expect(approved.versions.map(({ reason, standing, by, note }) => [reason, standing, by, note])).toEqual([
      ["made", "superseded", null, null],
      ["approved", "standing", "operator", "agreed"],
      ["restated", "beside", null, null],
    ]);
    expect(approved.versions[2]?.change_count).toBe(3);
    expect((await statementOf(service, id, 3)).totals).toMatchObject([{ total: "135.00" }]);
    const [item] = (await service.made(operator.listAllStatements, { query: { state: "approved", month: "2026-06" } }))
      .items;
    expect(item).toMatchObject({ id, version: 2, newest_version: 3, totals: [{ total: "106.50" }] });
    expect((await approve(id, 3, "taken in")).body).toEqual({ id, version: 4 });
    expect(await statementOf(service, id)).toMatchObject({ version: 4, totals: [{ total: "135.00" }] });
    const audit = (await service.made(operator.listAudit, { query: { subject: id } })).items;
    expect(audit.map((entry) => [entry.action, "after" in entry && entry.after])).toEqual([
      ["statement.approve", expect.objectContaining({ version: 4, note: "taken in", month: "2026-06" })],
      ["statement.approve", expect.objectContaining({ version: 2, note: "agreed" })],
      ["statement.make", expect.objectContaining({ version: 1 })],
    ]);
  });
});

describe("a statement of an account", () => {
  let settled: Awaited<ReturnType<typeof delivered>>;
  let id: string;

  beforeAll(async () => {
    settled = await delivered();
    id = await made(settled);
  });

  test("is only read by auditors", async () => {
    const auditor = await newBrowser(service, "auditor");
    const body = { month: "2026-06" };
    expectError(await auditor.operator(operator.makeStatements, { body }), 404, /auditor/);
    expectError(
      await auditor.operator(operator.approveStatement, { params: { id }, body: { version: 1, note: "x" } }),
      404,
      /auditor/,
    );
    const params = { id: settled.programId, from_month: "2026-06" };
    expectError(await auditor.operator(operator.deleteTerms, { params }), 404, /auditor/);
    expect((await auditor.operator(operator.getAnyStatement, { params: { id }, query: {} })).status).toBe(200);
  });

  test("is seen by its participant, without who approved it, and by no other", async () => {
    const other = await service.newParticipant();
    at("2026-07-01T00:00:00Z");
    const browser = await newBrowser(service, "operator");
    const approved = await browser.operator(operator.approveStatement, {
      params: { id },
      body: { version: 1, note: "ok" },
    });
    expect(approved.status).toBe(200);
    const { call } = settled.participant;
    const listed = (await call(listStatements, { query: {} })).body.items;
    expect(listed).toMatchObject([{ id, month: "2026-06", state: "approved", totals: [{ total: "106.50" }] }]);
    const own = (await call(getStatement, { params: { id }, query: {} })).body;
    expect(own).toMatchObject({ version: 2, sites: [{ lines: expect.any(Array) }] });
    expect(own.versions.map(({ by }: { by: string | null }) => by)).toEqual([null, "operator"]);
    expect((await other.call(listStatements, { query: {} })).body.items).toEqual([]);
    expectError(await other.call(getStatement, { params: { id }, query: {} }), 404, /No such statement/);
    expectError(await other.call(downloadStatementInputs, { params: { id }, query: {} }), 404, /No such statement/);
  });
});
