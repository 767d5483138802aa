import { downloadStatementInputs, getStatement, listStatements, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { storesOver } from "../../../src/app/stores.js";
import { standingReader } from "../../../src/performance/storage/standing-reader.js";
import { drawUpStatement, monthToSettle } from "../../../src/settlement/operations/draw-up-statement.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilLooked,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { testSecretBox } from "../../support/secret-box.js";
import { type AnyStatement, setTerms, statementMade, statementOf } from "../../support/settling.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const CAPACITY = { price_per_kw: "4.5", factor: { lowest: "0", highest: "1" } };
const ENERGY = { price_per_kwh: "0.1", counted: "net", highest_share: null } as const;
const PENALTY = {
  below: "0.8",
  price_per_kwh: "0.5",
  counted: "capped",
  highest_per_month: null,
  within_earnings: false,
} as const;
const ALL = { capacity: CAPACITY, energy: ENERGY, penalty: PENALTY };

const hour = (day: string, from = 18) =>
  [`2026-06-${day}T${from}:00:00Z`, `2026-06-${day}T${from + 1}:00:00Z`] as const;
const at = (time: string): void => service.clock.set(new Date(time));

interface Settled {
  readonly participant: Participant;
  readonly siteId: string;
  readonly programId: string;
  /** Dispatches on 10 and 11 June with final results, of 40 kW and 10 kW. */
  readonly first: string;
  readonly second: string;
  /** Uploads the load of an hour anew. */
  load(period: readonly [string, string], kw: number): Promise<void>;
}

/** An account whose site, committed to 40 kW, delivered in two dispatches of an hour in June. */
const delivered = async (terms: Partial<Parameters<typeof setTerms>[2]> = ALL): Promise<Settled> => {
  at("2026-05-31T00:00:00Z");
  const participant = await service.newParticipant();
  const { siteId, meterId } = firstOf(participant);
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  at("2026-06-12T00:00:00Z");
  const load = (period: readonly [string, string], kw: number) =>
    uploadIntervals(
      participant,
      meterId,
      intervalsBetween(period, 300, () => kw),
    );
  await load(["2026-06-05T00:00:00Z", "2026-06-12T00:00:00Z"], 100);
  await load(hour("10"), 60);
  await load(hour("11"), 90);
  await setTerms(service, programId, terms);
  const first = await dispatchBetween(service, programId, hour("10"));
  const second = await dispatchBetween(service, programId, hour("11"));
  for (const id of [first, second]) await untilVersions(service, id, 1);
  return { participant, siteId, programId, first, second, load };
};

const made = ({ participant }: Settled): Promise<string> => statementMade(service, participant.accountId, "2026-06");

const linesOf = ({ sites }: AnyStatement) =>
  sites.flatMap((site) =>
    site.lines.map(({ kind, dispatch_id, version, amount }) => [kind, dispatch_id, version, amount]),
  );

/** Moves the clock until the newest version of a statement has that number. */
const untilVersion = (id: string, version: number) =>
  untilLooked(service, async () => (await statementOf(service, id)).versions.length === version);

const approve = (id: string, version: number, note = "agreed") =>
  service.operator(operator.approveStatement, { params: { id }, body: { version, note } });

/** Whether it took in everything that was followed. */
const isDrawn = async (id: string): Promise<boolean> => {
  const { rows } = await service.database.pool.query<{ is_drawn: boolean }>(
    "select due_seq is null and drawn_at is not null as is_drawn from statements where id = $1",
    [id],
  );
  return rows[0]?.is_drawn === true;
};

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

  test("that is made twice, or by two at once, has one version", async () => {
    const settled = await delivered();
    const body = { month: "2026-06", account_id: settled.participant.accountId };
    const both = await Promise.all([1, 2, 3, 4].map(() => service.made(operator.makeStatements, { body })));
    const outcomes = both.flatMap(({ items }) => items.map(({ outcome }) => outcome)).toSorted();
    expect(outcomes).toEqual(["made", "unchanged", "unchanged", "unchanged"]);
    expect(new Set(both.map(({ items }) => items[0]?.id)).size).toBe(1);
    expect((await statementOf(service, await made(settled))).versions).toHaveLength(1);
  });

  test("is restated two seconds after a late reading, where nothing else was late", async () => {
    const settled = await delivered();
    const id = await made(settled);
    at("2026-06-20T00:00:00Z");
    await untilLooked(
      service,
      async () => (await isDrawn(id)) && (await statementOf(service, id)).versions.length === 1,
    );
    service.clock.advance({ minutes: 1 });
    await settled.load(hour("10"), 70);
    service.clock.advance({ seconds: 2 });
    // The clock stands still from here on.
    await expect
      .poll(async () => (await statementOf(service, id)).versions.map(({ at: made_at }) => made_at), {
        timeout: 10_000,
      })
      .toEqual([expect.anything(), service.clock.now().toISOString().replace(".000", "")]);
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

  test("follows a voided dispatch, and one that is added", async () => {
    const settled = await delivered();
    const id = await made(settled);
    await service.made(operator.changeDispatch, {
      params: { id: settled.second },
      body: { authorized: false, void_reason: "a mistake" },
    });
    await untilVersion(id, 2);
    const { second, first } = settled;
    expect(linesOf(await statementOf(service, id))).toEqual([
      ["capacity", null, null, "180.00"],
      ["energy", first, 1, "4.00"],
      ["penalty", first, 1, "0.00"],
    ]);
    expect((await statementOf(service, id)).versions[1]?.changes).toContainEqual(
      expect.objectContaining({ kind: "energy", dispatch_id: second, from: "1.00", to: null }),
    );
    const ahead = await dispatchBetween(service, settled.programId, hour("20"));
    await untilVersion(id, 3);
    const statement = await statementOf(service, id);
    expect(statement.waiting).toMatchObject([{ dispatch_id: ahead, start_time: hour("20")[0] }]);
    expect(linesOf(statement)).toContainEqual(["energy", ahead, null, "0.00"]);
    await service.made(operator.changeDispatch, { params: { id: ahead }, body: { authorized: false } });
    await untilVersion(id, 4);
    expect((await statementOf(service, id)).waiting).toEqual([]);
  });

  test("that is drawn up while a dispatch is voided pays nothing for it", async () => {
    const { participant, first, second } = await delivered();
    const reader = standingReader(service.database.pool);
    const dispatches: typeof reader.dispatches = async (...asked) => {
      const found = await reader.dispatches(...asked);
      const body = { authorized: false, void_reason: "a mistake" };
      await service.made(operator.changeDispatch, { params: { id: second }, body });
      return found;
    };
    const stores = storesOver(service.database.pool, testSecretBox);
    const ports = { stores, standing: { ...reader, dispatches } };
    const month = await monthToSettle(ports, "2026-06", participant.accountId);
    const { sites } = await drawUpStatement(ports, month, participant.accountId);
    expect(sites.flatMap(({ lines }) => lines.map(({ kind, dispatchId }) => [kind, dispatchId]))).toEqual([
      ["capacity", null],
      ["energy", first],
      ["penalty", first],
    ]);
  });

  test("follows terms that are set and deleted, and commitments until the end of the month", async () => {
    const settled = await delivered({ capacity: { price_per_kw: "4.5", factor: null } });
    const id = await made(settled);
    const { programId, siteId } = settled;
    await setTerms(service, programId, { capacity: { price_per_kw: "5", factor: null } }, "2026-06");
    await untilVersion(id, 2);
    const { totals, versions } = await statementOf(service, id);
    expect(totals[0]?.total).toBe("200.00");
    expect(versions[1]?.changes).toMatchObject([
      { site_id: null, words: expect.stringMatching(/^the terms of .* changed$/) },
      { kind: "capacity", from: "180.00", to: "200.00", words: "price 4.5 → 5" },
    ]);
    await service.made(operator.deleteTerms, { params: { id: programId, from_month: "2026-06" } });
    await untilVersion(id, 3);
    expect((await statementOf(service, id)).totals[0]?.total).toBe("180.00");
    const commit = (commitment: number) =>
      service.made(operator.enrolSite, { params: { id: programId, site_id: siteId }, body: { commitment } });
    await commit(50);
    await untilVersion(id, 4);
    // 40 kW for 11 days and 50 kW for 19: 46.333 kW × 4.5.
    expect((await statementOf(service, id)).totals[0]?.total).toBe("208.50");
    at("2026-07-01T00:00:00Z");
    await commit(60);
    await service.made(operator.withdrawSite, { params: { id: programId, site_id: siteId } });
    expect((await service.made(operator.makeStatements, { body: { month: "2026-06" } })).items).toContainEqual(
      expect.objectContaining({ id, outcome: "unchanged" }),
    );
    expectError(
      await service.operator(operator.makeStatements, {
        body: { month: "2026-07", account_id: settled.participant.accountId },
      }),
      400,
      /nothing to settle/,
    );
  });

  test("counts a dispatch in the month in which it starts in the program's time zone", async () => {
    at("2026-06-12T00:00:00Z");
    const participant = await service.newParticipant();
    const program = await measuredProgram(service, [participant], { timezone: "Asia/Kolkata", commitment: 40 });
    await setTerms(service, program, { energy: ENERGY });
    const before = await dispatchBetween(service, program, ["2026-06-30T18:29:00Z", "2026-06-30T19:00:00Z"]);
    const after = await dispatchBetween(service, program, ["2026-06-30T18:30:00Z", "2026-06-30T19:00:00Z"]);
    const dispatchesOf = async (month: string) =>
      (await statementOf(service, await statementMade(service, participant.accountId, month))).waiting.map(
        ({ dispatch_id }) => dispatch_id,
      );
    expect(await dispatchesOf("2026-06")).toEqual([before]);
    expect(await dispatchesOf("2026-07")).toEqual([after]);
  });

  test("leaves out tests and what was cancelled before its start, and pays until a cancellation", async () => {
    const settled = await delivered({ energy: ENERGY, penalty: PENALTY });
    const { programId, first, second } = settled;
    const test = await dispatchBetween(service, programId, hour("15"), { test: true });
    const never = await dispatchBetween(service, programId, hour("16"));
    await service.made(operator.changeDispatch, { params: { id: never }, body: { authorized: false } });
    at("2026-06-12T17:00:00Z");
    const halved = await dispatchBetween(service, programId, hour("12"));
    at("2026-06-12T18:30:00Z");
    await settled.load(["2026-06-12T00:00:00Z", "2026-06-12T18:00:00Z"], 100);
    await settled.load(["2026-06-12T18:00:00Z", "2026-06-12T18:30:00Z"], 60);
    await service.made(operator.changeDispatch, { params: { id: halved }, body: { authorized: false } });
    at("2026-06-12T19:40:00Z");
    await settled.load(["2026-06-12T18:30:00Z", "2026-06-12T19:40:00Z"], 100);
    await untilVersions(service, halved, 1);
    const statement = await statementOf(service, await made(settled));
    const lines = statement.sites[0]?.lines ?? [];
    expect([...new Set(lines.map(({ dispatch_id }) => dispatch_id))]).toEqual([first, second, halved]);
    expect(JSON.stringify(statement)).not.toContain(test);
    const ofHalved = lines.filter(({ dispatch_id }) => dispatch_id === halved);
    expect(ofHalved).toMatchObject([
      { kind: "energy", quantity: "20.000", amount: "2.00", words: "delivered, until the dispatch was cancelled" },
      { kind: "penalty", quantity: null, amount: "0.00", words: "not judged: the dispatch was cancelled" },
    ]);
  });

  test("has totals of each currency over several programs", async () => {
    const settled = await delivered({ capacity: { price_per_kw: "4.5", factor: null } });
    const other = await measuredProgram(service, [settled.participant], { commitment: 60, name: "Another" });
    await setTerms(service, other, { currency: "JPY", capacity: { price_per_kw: "0.75", factor: null } });
    const { totals, programs } = await statementOf(service, await made(settled));
    expect(programs.map(({ name }) => name)).toEqual(["Another", "Measured"]);
    expect(totals.map(({ currency, total }) => [currency, total])).toEqual([
      // 20 kW more than the earlier enrolment, for 19 of 30 days.
      ["JPY", "10"],
      ["USD", "180.00"],
    ]);
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

  test("is approved once by two at once", async () => {
    const settled = await delivered();
    const id = await made(settled);
    at("2026-07-01T00:00:00Z");
    const both = await Promise.all([approve(id, 1), approve(id, 1)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await statementOf(service, id)).versions).toHaveLength(2);
  });

  test("is restated by another process after a restart", async () => {
    const settled = await delivered();
    const id = await made(settled);
    await service.another();
    await settled.load(hour("11"), 70);
    await untilVersion(id, 2);
    service.clock.advance({ seconds: 60 });
    expect((await statementOf(service, id)).versions).toHaveLength(2);
  });
});

describe("participants", () => {
  test("see their own statements, without who approved them", async () => {
    const settled = await delivered();
    const other = await service.newParticipant();
    const id = await made(settled);
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

  test("see no amounts of sites whose data is not visible to people", async () => {
    const settled = await delivered();
    const id = await made(settled);
    const { participant, siteId } = settled;
    const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
    const look = async () => (await viewer.console(getStatement, { params: { id }, query: {} })).body;
    expect(await look()).toMatchObject({ hidden_sites: 1, sites: [], totals: [{ total: "0.00" }] });
    expect((await viewer.console(listStatements, { query: {} })).body.items).toMatchObject([{ totals: null }]);
    await service.made(operator.changeSite, { params: { id: siteId }, body: { display_enabled: true } });
    expect(await look()).toMatchObject({ hidden_sites: 0, totals: [{ total: "106.50" }] });
  });
});

describe("who may change statements and terms", () => {
  test("auditors may only read", async () => {
    const settled = await delivered();
    const id = await made(settled);
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
});
