import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type About, alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { intervalsBetween, uploadIntervals } from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { newBrowser } from "../../support/people.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-10T12:00:00Z"));
});

/** Readings of a meter of the participant's first site, between minutes from now. */
const readings = (participant: Participant, [from, to]: readonly [number, number], meter = 0): Promise<void> => {
  const between = [ahead(service, { minutes: from }), ahead(service, { minutes: to })] as const;
  const intervals = intervalsBetween(between, 30, (endMs) => 100 + ((endMs / 30_000) % 7));
  return uploadIntervals(participant, participant.sites[0]?.meters[meter] ?? "", intervals);
};

test("the health of a site has each meter's last reading, completeness and gaps", async () => {
  const anna = await service.newParticipant({ sites: [["main", "annex"]] });
  await readings(anna, [-60, -30]);
  await readings(anna, [-15, 0]);
  const { siteId, meterId } = firstOf(anna);
  const { meters } = await service.made(operator.getTelemetryHealth, { params: { id: siteId } });
  expect(meters).toMatchObject([
    {
      meter_id: meterId,
      name: "main",
      last_reading: { timestamp: "2026-06-10T12:00:00Z" },
      completeness_last_hour: 0.75,
      completeness_last_day: 90 / 2880,
      gaps: [
        { start_time: "2026-06-09T12:00:00Z", end_time: "2026-06-10T11:00:00Z" },
        { start_time: "2026-06-10T11:30:00Z", end_time: "2026-06-10T11:45:00Z" },
      ],
    },
    { name: "annex", last_reading: null, completeness_last_hour: 0 },
  ]);
  expectError(await service.operator(operator.getTelemetryHealth, { params: { id: "site_0" } }), 404, /No such site/);
});

const stale = (id: string): About => ({ kind: "telemetry_stale", id });

const dispatched = async (participant: Participant, minutes: number): Promise<string> => {
  const program = await newProgram(service, [participant]);
  return (await newDispatch(service, program, { start_time: ahead(service, { minutes }) })).id;
};

describe("before a dispatch", () => {
  test("a site without readings is alarmed half an hour ahead, and over when they come", async () => {
    const anna = await service.newParticipant();
    const id = await dispatched(anna, 31);
    await judgeOnce(service);
    expect(await alarmsAbout(service, stale(id))).toEqual([]);
    service.clock.advance({ minutes: 1 });
    const [alarm] = await untilAlarms(service, stale(id), 1);
    expect(alarm?.message).toMatch(/^1 of 1 sites of dispatch dis_\w+, which starts at .*Participant.*\(site_\w+\)/);
    await readings(anna, [-5, 0]);
    expect(await untilAlarms(service, stale(id), 0)).toEqual([]);
  });

  test("a site that reports is not alarmed, until it falls silent for a quarter of an hour", async () => {
    const anna = await service.newParticipant();
    await readings(anna, [-5, 0]);
    const id = await dispatched(anna, 20);
    service.clock.advance({ minutes: 14 });
    await judgeOnce(service);
    expect(await alarmsAbout(service, stale(id))).toEqual([]);
    service.clock.advance({ minutes: 2 });
    await untilAlarms(service, stale(id), 1);
  });

  test("a site of which one meter fell silent is alarmed, since its load is unknown", async () => {
    const anna = await service.newParticipant({ sites: [["main", "annex"]] });
    await readings(anna, [-60, 0]);
    await readings(anna, [-60, -30], 1);
    const id = await dispatched(anna, 10);
    await untilAlarms(service, stale(id), 1);
    await readings(anna, [-5, 0], 1);
    await untilAlarms(service, stale(id), 0);
  });
});

const lines = async (query = "") => (await service.operator("GET", `/telemetry-health?limit=500&${query}`)).body.items;
const lineOf = async (participant: Participant, query = "") =>
  (await lines(query)).find((line: { account_id: string }) => line.account_id === participant.accountId);

describe("the list of how sites report", () => {
  beforeAll(() => service.clock.set(new Date("2026-06-10T14:00:00Z")));

  test("has a line for each site, with its newest reading and how complete its last hour is", async () => {
    const anna = await service.newParticipant({ name: "Anna", sites: [["main", "annex"]] });
    await readings(anna, [-90, -30]);
    await readings(anna, [-20, -5], 1);
    expect(await lineOf(anna)).toEqual({
      site_id: anna.sites[0]?.id,
      name: "Anna, site 1",
      account_id: anna.accountId,
      account_name: "Anna",
      meters: 2,
      last_reading_at: ahead(service, { minutes: -5 }),
      stale_meters: 1,
      completeness_last_hour: (60 + 30) / 240,
      in_dispatch: false,
    });
    service.clock.advance({ seconds: 30 });
    expect((await lineOf(anna)).completeness_last_hour).toBe((59 + 30) / 240);
  });

  test("calls a site stale by the rule of the alarm: at fifteen minutes, all or one of its meters", async () => {
    const ben = await service.newParticipant({ sites: [["main", "annex", "never"]] });
    const isStale = async () => [await lineOf(ben, "stale=true"), await lineOf(ben, "stale=false")];
    expect(await isStale()).toMatchObject([
      { stale_meters: 3, last_reading_at: null, completeness_last_hour: 0 },
      undefined,
    ]);
    await readings(ben, [-5, 0]);
    await readings(ben, [-5, 0], 1);
    expect(await isStale()).toMatchObject([undefined, { stale_meters: 0 }]);
    service.clock.advance({ minutes: 14, seconds: 30 });
    await readings(ben, [-1, 0], 1);
    expect(await isStale()).toMatchObject([undefined, { stale_meters: 0 }]);
    service.clock.advance({ seconds: 30 });
    expect(await isStale()).toMatchObject([{ stale_meters: 1 }, undefined]);
    service.clock.advance({ minutes: 15 });
    expect(await isStale()).toMatchObject([{ stale_meters: 3 }, undefined]);
  });

  test("knows sites without meters, and those that a dispatch calls while it runs", async () => {
    const carol = await service.newParticipant({ sites: [[]] });
    const id = await dispatched(carol, 1);
    expect(await lineOf(carol)).toMatchObject({ meters: 0, completeness_last_hour: null, in_dispatch: false });
    service.clock.advance({ minutes: 1 });
    expect(await lineOf(carol, "stale=true")).toMatchObject({ stale_meters: 0, in_dispatch: true });
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    expect((await lineOf(carol)).in_dispatch).toBe(false);
  });

  test("comes in pages, to auditors too, and not to participants' people", async () => {
    const auditor = await newBrowser(service, "auditor");
    const { items, next_cursor } = (await auditor.operator(operator.listTelemetryHealth, { query: { limit: 1 } })).body;
    const rest = (await auditor.operator("GET", `/telemetry-health?limit=500&cursor=${next_cursor}`)).body;
    expect([...items, ...rest.items]).toEqual(await lines());
    const { accountId } = await service.newParticipant();
    const person = await newBrowser(service, "participant-viewer", accountId);
    expectError(await person.operator(operator.listTelemetryHealth), 404, /for the role participant-viewer/);
    expectError(await service.operator("GET", "/telemetry-health?stale=maybe"), 400, /stale/);
  });
});
