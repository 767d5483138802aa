import { getStatement, listStatements, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { storesOver } from "../../../src/app/stores.js";
import { standingReader } from "../../../src/performance/storage/standing-reader.js";
import { drawUpStatement, monthToSettle } from "../../../src/settlement/operations/draw-up-statement.js";
import { dispatchBetween, measuredProgram, untilLooked } from "../../support/measuring.js";
import { newBrowser } from "../../support/people.js";
import { testSecretBox } from "../../support/secret-box.js";
import { setTerms, statementMade, statementOf } from "../../support/settling.js";
import { at, delivered, ENERGY, hour, made, prepare, service, untilVersion } from "../../support/statement-story.js";

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
        timeout: 10_000,
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
