import { operator, type ReplyOf, type readTelemetry } from "@curtail/contract";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { DEMO_MS, demoService, startedDemo, untilDemo } from "../../support/demo.js";
import { ahead, newDispatch } from "../../support/dispatching.js";
import type { Running } from "../../support/running.js";

/** The site that does not respond. */
const IGNORING = "Store 117";

const until = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { timeout: DEMO_MS, interval: 200 });

const LEASE_MS = 15_000;

/** The last moment of which every meter has a reading. */
const filledUntil = async ({ database }: Running): Promise<string> =>
  (await database.pool.query("select filled_until from demo")).rows[0]?.filled_until?.toISOString() ?? "";

const HOUR_MS = 3_600_000;

const minuteOf = ({ clock }: Running): string => {
  const at = clock.now();
  at.setUTCSeconds(0, 0);
  return at.toISOString();
};

/** Moves the clock minute by minute, as the feeder sees it. */
const play = async (service: Running, minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute++) {
    service.clock.advance({ minutes: 1 });
    await until(async () => (await filledUntil(service)) === minuteOf(service));
  }
};

const programNamed = async (service: Running, name: string): Promise<string> =>
  (await service.made(operator.listPrograms)).items.find((each) => each.name === name)?.id ?? "";

describe("a demo that is on", () => {
  let service: Running;
  beforeAll(async () => {
    service = await demoService();
    await startedDemo(service);
  }, DEMO_MS);

  test("has past dispatches with results", { timeout: DEMO_MS }, async () => {
    const { items } = await service.made(operator.listAllDispatches);
    expect(items).toHaveLength(3);
    service.clock.advance({ seconds: 6 });
    for (const { id } of items) {
      const performance = () => service.made(operator.getAnyDispatchPerformance, { params: { id } });
      await until(async () => (await performance()).versions.length > 0);
      expect((await performance()).state).not.toBe("pending");
    }
  });

  test("has sites that all stream, with data that is visible", async () => {
    await play(service, 2);
    const { items } = await service.made(operator.listOnboarding, { query: { limit: 500 } });
    expect(items).toHaveLength(40);
    for (const site of items) expect(site).toMatchObject({ data_streaming: true, display_enabled: true });
  });

  test("sends a reading of each meter for every minute", async () => {
    const { items } = await service.made(operator.listAccounts);
    const anna = await service.participantOf(items[0]?.id ?? "");
    const from = minuteOf(service);
    await play(service, 3);
    const sites = anna.sites.map(({ id }) => `site_id=${id}`).join("&");
    const { body } = await anna.call("GET", `/telemetry/kw?${sites}&start_time=${from}&interval_seconds=60`);
    const read: ReplyOf<typeof readTelemetry>["data"]["sites"] = body.data.sites;
    expect(read).toHaveLength(anna.sites.length);
    for (const { telemetry } of read.flatMap(({ meters }) => meters)) expect(telemetry).toHaveLength(3);
  });

  test("learns of a dispatch within seconds, delivers it, and one site ignores it", { timeout: DEMO_MS }, async () => {
    const program = await programNamed(service, "Peak relief");
    const [start_time, end_time] = [ahead(service, { minutes: 1 }), ahead(service, { minutes: 31 })];
    const { id } = await newDispatch(service, program, { start_time, end_time });
    service.clock.advance({ seconds: 5 });
    await until(async () => {
      const { items } = await service.made(operator.listEvidence, { params: { id }, query: { limit: 500 } });
      return items.filter(({ what }) => what === "polled").length === 4;
    });
    await play(service, 33);
    const performance = () => service.made(operator.getAnyDispatchPerformance, { params: { id } });
    service.clock.advance({ seconds: 6 });
    await until(async () => (await performance()).sites.every(({ performance }) => performance !== null));
    const { sites } = await performance();
    const shares = sites.map(({ performance }) => performance ?? 0);
    expect(sites.find(({ name }) => name === IGNORING)?.performance).toBeLessThan(0.5);
    expect(shares.filter((share) => share > 0.6).length).toBeGreaterThan(shares.length / 2);
  });

  test("fills a gap of hours after a stop", { timeout: DEMO_MS }, async () => {
    await service.stop();
    service.clock.advance({ hours: 20 });
    await service.another();
    await until(async () => (await filledUntil(service)) === minuteOf(service));
    // A reading at the full hour ends in the hour before.
    const last = Math.floor((Date.parse(minuteOf(service)) - 1) / HOUR_MS);
    const { rows } = await service.database.pool.query(
      `select count(*) as hours from telemetry_hours join meters on meters.key = meter
       where meters.id = (select id from meters order by key limit 1) and hour > $1`,
      [last - 19],
    );
    expect(Number(rows[0].hours)).toBe(19);
  });
});

describe("two processes over one database", () => {
  test("feed a demo once, and the other goes on when one stops", { timeout: DEMO_MS }, async () => {
    const service = await demoService();
    await service.another();
    await service.made(operator.startDemo);
    await untilDemo(service, "on");
    const holder = async () => (await service.database.pool.query("select leased_by from demo")).rows[0]?.leased_by;
    // Moving the clock further would end a lease that its holder is about to renew.
    const isRenewed = async () =>
      (await service.database.pool.query("select leased_until from demo")).rows[0]?.leased_until.getTime() ===
      service.clock.now().getTime() + LEASE_MS;
    const first = await holder();
    for (let step = 0; step < 12; step++) {
      service.clock.advance({ seconds: 10 });
      await until(isRenewed);
      expect(await holder()).toBe(first);
    }
    expect(await filledUntil(service)).toBe(minuteOf(service));
    await service.stop();
    await play(service, 2);
  });
});
