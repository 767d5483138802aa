import { listDispatches, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, measuredProgram } from "../../support/measuring.js";
import { firstOf, kwReading, series, upload } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

const NOW = "2026-06-10T18:00:00Z";
const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString().replace(".000", "");

let service: Running;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date(NOW));
});

const attention = (id: string) => service.made(operator.getDispatchAttention, { params: { id } });

/** Readings of every five minutes, the last one at a time. */
const reads = (participant: Participant, last: string, count: number, kw: number) =>
  upload(
    participant,
    series(firstOf(participant).meterId, new Date(Date.parse(last) - (count - 1) * 300_000).toISOString(), count).map(
      (each) => ({ ...each, kW: kw }),
    ),
  );

describe("what needs attention in a dispatch", () => {
  test("are the sites that fall short most, with how they were reached and their last reading", async () => {
    const [anna, ben, cara] = [
      await service.newParticipant({ name: "Anna" }),
      await service.newParticipant({ name: "Ben" }),
      await service.newParticipant({ name: "Cara" }),
    ];
    const contact = { name: "Night shift", email: "night@ben.example", phone: "+1 555 010 0200" };
    await service.made(operator.createContact, { params: { id: ben.accountId }, body: contact });
    for (const each of [anna, ben, cara]) await reads(each, at(0), 12, 100);
    const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
    const programId = await measuredProgram(service, [anna, ben, cara], { baseline, commitment: 40 });
    const id = await dispatchBetween(service, programId, [NOW, at(60)]);
    await anna.call(listDispatches);
    service.clock.set(new Date(at(10)));
    await reads(anna, at(10), 2, 60);
    await reads(ben, at(10), 2, 90);
    expect((await attention(id)).accounts).toBe(3);
    const names = async () => (await attention(id)).worst_sites?.map(({ account_name }) => account_name);
    await expect.poll(names).toEqual(["Cara", "Ben"]);
    const { worst_sites, reached, reached_by, unreached } = await attention(id);
    expect({ reached, rest: reached_by.rest }).toEqual({ reached: 1, rest: 1 });
    expect(unreached.map(({ account_name, contact: of }) => [account_name, of?.phone ?? null])).toEqual([
      ["Ben", "+1 555 010 0200"],
      ["Cara", null],
    ]);
    expect(worst_sites).toMatchObject([
      {
        account_name: "Cara",
        shortfall_kw: 40,
        last_reading_at: at(0),
        reached_by: null,
        contact: null,
      },
      { account_name: "Ben", shortfall_kw: 30, delivered_kw: 10, last_reading_at: at(10), contact },
    ]);
  });

  test("leaves out disabled accounts, and is unknown for a foreign id", async () => {
    const participant = await service.newParticipant();
    const programId = await newProgram(service, [participant]);
    const { id } = await newDispatch(service, programId);
    await service.made(operator.changeAccount, {
      params: { id: participant.accountId },
      body: { disabled: true, confirm_running: true },
    });
    expect(await attention(id)).toMatchObject({ accounts: 0, reached: 0, unreached: [] });
    expectError(await service.operator(operator.getDispatchAttention, { params: { id: "dis_0" } }), 404);
  });
});

describe("the timeline of a dispatch", () => {
  test("has what people did, whom it reached and who was called, oldest first", async () => {
    const [anna, ben] = [await service.newParticipant(), await service.newParticipant({ name: "Ben" })];
    const programId = await newProgram(service, [anna, ben]);
    const { id } = await newDispatch(service, programId);
    await anna.call(listDispatches);
    service.clock.advance({ seconds: 5 });
    const call = { account_id: ben.accountId, person: "Ana", note: "will start" };
    await service.made(operator.recordPhoneCall, { params: { id }, body: call });
    service.clock.advance({ seconds: 5 });
    await service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, { hours: 4 }) } });
    service.clock.advance({ seconds: 5 });
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    const items = async () => (await service.made(operator.getDispatchTimeline, { params: { id } })).items;
    const lines = async () =>
      (await items()).flatMap((each) =>
        each.what.startsWith("alarm") || each.channel === "mail"
          ? []
          : [`${each.what} ${each.modification_number} ${each.count} ${each.account_name ?? each.actor}`],
      );
    await expect
      .poll(lines)
      .toEqual([
        "issued 0 1 operator",
        "notified 0 2 null",
        expect.stringMatching(/^reached 0 1 /),
        "phoned 0 1 Ben",
        "changed 1 1 operator",
        "notified 1 2 null",
        "cancelled 2 1 operator",
        "notified 2 2 null",
      ]);
    expect((await items()).find(({ what }) => what === "phoned")).toMatchObject({ detail: "Ana: will start" });
    expectError(await service.operator(operator.getDispatchTimeline, { params: { id: "dis_0" } }), 404);
  });
});

describe("the load of the portfolio", () => {
  test("sums all meters in intervals of five minutes, and holds a value for fifteen", async () => {
    const own = await running();
    own.clock.set(new Date(at(0)));
    const [anna, ben] = [await own.newParticipant(), await own.newParticipant()];
    await upload(anna, [
      kwReading(firstOf(anna).meterId, at(-30), 100, 300),
      kwReading(firstOf(anna).meterId, at(-25), 80, 300),
    ]);
    await upload(ben, [kwReading(firstOf(ben).meterId, at(-25), 20, 300)]);
    const load = async (start = at(-35)) => own.made(operator.getPortfolioLoad, { query: { start } });
    const { points, interval_seconds } = await load();
    expect(interval_seconds).toBe(300);
    expect(points.map(({ timestamp, load_kw, meters }) => [timestamp, load_kw, meters])).toEqual([
      [at(-30), 100, 1],
      [at(-25), 100, 2],
      [at(-20), 100, 2],
      [at(-15), 100, 2],
      [at(-10), 100, 2],
      [at(-5), null, 0],
      [at(0), null, 0],
    ]);
    await upload(ben, [kwReading(firstOf(ben).meterId, at(-5), 30, 300)]);
    own.clock.advance({ seconds: 10 });
    expect((await load()).points.at(-2)).toMatchObject({ timestamp: at(-5), load_kw: 30 });
    await own.made(operator.changeAccount, {
      params: { id: ben.accountId },
      body: { disabled: true, confirm_running: true },
    });
    own.clock.advance({ minutes: 5 });
    expect((await load()).points.find(({ timestamp }) => timestamp === at(-25))).toMatchObject({
      load_kw: 80,
      meters: 1,
    });
  });

  test("has the dispatches of the period, and refuses one of long ago", async () => {
    const own = await running();
    own.clock.set(new Date(at(0)));
    const programId = await newProgram(own, [await own.newParticipant()]);
    const period = { start_time: at(-60), end_time: at(30) };
    const { id } = await newDispatch(own, programId, period);
    await newDispatch(own, programId, { start_time: at(60) });
    const { dispatches } = await own.made(operator.getPortfolioLoad, { query: {} });
    expect(dispatches).toMatchObject([{ id, ...period, program_name: "Peak" }]);
    const ask = (start: string) => own.operator(operator.getPortfolioLoad, { query: { start } });
    expectError(await ask(at(-25 * 60 - 1)), 400, /25 hours/);
    expectError(await ask(at(1)), 400, /future/);
    expect((await ask(at(-25 * 60))).body.points).toHaveLength(300);
  });
});
