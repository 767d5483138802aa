import { getStatement, listStatements, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { storesOver } from "../../../src/app/stores.js";
import { standingReader } from "../../../src/performance/storage/standing-reader.js";
import { drawUpStatement, monthToSettle } from "../../../src/settlement/operations/draw-up-statement.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, measuredProgram, untilLooked, untilVersions } from "../../support/measuring.js";
import { newBrowser } from "../../support/people.js";
import { testSecretBox } from "../../support/secret-box.js";
import { setTerms, statementMade, statementOf } from "../../support/settling.js";
import {
  approve,
  at,
  delivered,
  ENERGY,
  hour,
  linesOf,
  made,
  PENALTY,
  prepare,
  service,
  untilVersion,
} from "../../support/statement-story.js";

beforeAll(prepare);

/** Whether it took in everything that was followed. */
const isDrawn = async (id: string): Promise<boolean> => {
  const { rows } = await service.database.pool.query<{ is_drawn: boolean }>(
    "select due_seq is null and drawn_at is not null as is_drawn from statements where id = $1",
    [id],
  );
  return rows[0]?.is_drawn === true;
};

describe("a statement", () => {
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
        timeout: 30_000,
      })
      .toEqual([expect.anything(), service.clock.now().toISOString().replace(".000", "")]);
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

describe("a statement", () => {
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
});

describe("a statement", () => {
  test("that is made twice, or by two at once, has one version", async () => {
    const settled = await delivered();
    const body = { month: "2026-06", account_id: settled.participant.accountId };
    const both = await Promise.all([1, 2, 3, 4].map(() => service.made(operator.makeStatements, { body })));
    const outcomes = both.flatMap(({ items }) => items.map(({ outcome }) => outcome)).toSorted();
    expect(outcomes).toEqual(["made", "unchanged", "unchanged", "unchanged"]);
    expect(new Set(both.map(({ items }) => items[0]?.id)).size).toBe(1);
    expect((await statementOf(service, await made(settled))).versions).toHaveLength(1);
  });
});

describe("an approved statement", () => {
  test("is approved once by two at once", async () => {
    const settled = await delivered();
    const id = await made(settled);
    at("2026-07-01T00:00:00Z");
    const both = await Promise.all([approve(id, 1), approve(id, 1)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await statementOf(service, id)).versions).toHaveLength(2);
  });
});
