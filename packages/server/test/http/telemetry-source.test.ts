import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { firstOf, kwReading, pointsOf, read, upload } from "../support/metering.js";
import { type Participant, type Running, running } from "../support/running.js";

// Specification, endpoint 7: which meter a reading belongs to; G4, G26.
let service: Running;
let anna: Participant;
let siteId: string;
let meterId: string;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-07-01T20:00:00Z"));
});

beforeEach(async () => {
  anna = await service.newParticipant();
  ({ siteId, meterId } = firstOf(anna));
});

const HOUR = { start_time: "2026-07-01T18:00:00Z", end_time: "2026-07-01T19:00:00Z" };
const stored = async () => pointsOf(await read(anna, [siteId], HOUR), meterId);

const bySite = (site_id: string) => ({ site_id, interval_seconds: 30, timestamp: "2026-07-01T18:00:30Z", kW: 8 });
const byMeter = (meterId: string) => kwReading(meterId, "2026-07-01T18:00:30Z", 1);

describe("a reading that names a site (G26)", () => {
  test("belongs to its only meter", async () => {
    expect((await upload(anna, [bySite(siteId)])).body).toEqual({ received: 1 });
    expect(await stored()).toEqual([["2026-07-01T18:00:30Z", 8]]);
  });

  test("is refused where the site has several meters, or none", async () => {
    const ben = await service.newParticipant({ sites: [["a", "b"], []] });
    const [several = "", none = ""] = ben.sites.map((site) => site.id);
    expectError(await upload(ben, [bySite(several)]), 400, /telemetry\[0\]\.site_id .*several meters; give meter_id/);
    expectError(await upload(ben, [bySite(none)]), 400, /telemetry\[0\]\.site_id .*without a meter/);
  });

  test("is refused from the moment the site has a second meter", async () => {
    await upload(anna, [bySite(siteId)]);
    await service.made("POST", `/sites/${siteId}/meters`, { name: "second" });
    expectError(await upload(anna, [bySite(siteId)]), 400, /several meters/);
  });
});

describe("a meter or site of another account", () => {
  test("is answered like one that is not there, and nothing is stored (G4)", async () => {
    const ben = await service.newParticipant();
    const mine = byMeter(firstOf(ben).meterId);
    const foreign = await upload(ben, [mine, { ...mine, meter_id: meterId }]);
    expectError(foreign, 400, /telemetry\[1\]\.meter_id names no meter of this account/);
    expect(foreign.text).toBe((await upload(ben, [mine, { ...mine, meter_id: "mtr_0000000000000000" }])).text);
    expect(pointsOf(await read(ben, [firstOf(ben).siteId], HOUR), firstOf(ben).meterId)).toEqual([]);
  });

  test("a new meter is known at once, also after it was asked for in vain", async () => {
    expectError(await upload(anna, [byMeter("mtr_0000000000000000")]), 400);
    const meter = await service.made("POST", `/sites/${siteId}/meters`, { name: "new" });
    expect((await upload(anna, [byMeter(meter.id)])).status).toBe(200);
  });
});
