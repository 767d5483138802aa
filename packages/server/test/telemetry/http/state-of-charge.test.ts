import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  anna,
  battery,
  chargeOf,
  decide,
  energyOf,
  HOUR,
  kW,
  kWh,
  load,
  powerOf,
  prepare,
  prepareEach,
  service,
  siteId,
  stamp,
} from "../../support/batteries.js";
import { enableDisplay } from "../../support/display.js";
import { expectError } from "../../support/expect-error.js";
import { upload } from "../../support/metering.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("kWh of a battery", () => {
  test("are its state of charge beside the power of the same minute, in either order and either parser", async () => {
    const both = [kW(battery, 2, 10, 60), kWh(battery, 2, 500, 60)];
    // A number with an exponent is for the slower parser.
    for (const telemetry of [both, both.toReversed(), [...both, { ...kW(load, 2, 1), kW: 1e-7 }]]) {
      expect((await upload(anna, telemetry)).body).toEqual({ received: telemetry.length });
      expect(await powerOf(battery)).toEqual({ [stamp(1)]: 10, [stamp(2)]: 10 });
      expect(await chargeOf(battery)).toEqual({ [stamp(1)]: 500, [stamp(2)]: 500 });
    }
    // What they were before the setting, and are where it says so.
    await decide(battery, "energy");
    await upload(anna, both);
    expect(await powerOf(battery)).toEqual({ [stamp(1)]: 30_000, [stamp(2)]: 30_000 });
  });

  test("alone are no load, no energy and no reading of the meter", async () => {
    await upload(anna, [kWh(battery, 4, 480), kW(load, 4, 7)]);
    const { meters, site } = await energyOf(1);
    expect(meters.find(({ meter_id }) => meter_id === battery)).toMatchObject({
      energy_kwh: null,
      peak_kw: null,
      power_kw: [null],
      charge: { timestamp: stamp(4), value: 480 },
      charge_kwh: [480],
    });
    expect(meters.find(({ meter_id }) => meter_id === load)).toMatchObject({ charge: null, charge_kwh: null });
    expect(site.peak_kw).toBe(7);
    const seen = await service.made(operator.getSite, { params: { id: siteId } });
    expect(seen.meters).toMatchObject([
      { kwh_means: "energy", last_reading: { value: 7 }, last_charge: null },
      { kwh_means: "charge", last_reading: null, last_charge: { timestamp: stamp(4), value: 480 } },
    ]);
  });

  test("may be larger than any power over so short a time, those of other meters not", async () => {
    expect((await upload(anna, [kWh(battery, 1, 10_000_000)])).status).toBe(200);
    expect((await upload(anna, [kWh(battery, 1, 0), kWh(battery, 1, -3)])).status).toBe(200);
    expectError(await upload(anna, [kWh(battery, 1, 10_000_001)]), 400, /telemetry\[0\]\.value/);
    const tooMuch = [kWh(battery, 1, 500_000), kWh(load, 1, 83_333.4)];
    expectError(await upload(anna, tooMuch), 400, /telemetry\[1\]\.value is .* kW; its magnitude may be at most/);
    expect(await chargeOf(battery)).toEqual({ [stamp(1)]: -3 });
  });

  test("name the meter by its site where it is the only one", async () => {
    const [site] = (await service.newParticipant({ sites: [[]] })).sites;
    expect(site?.meters).toEqual([]);
    const ben = await service.newParticipant({ sites: [["main"]] });
    const id = ben.sites[0]?.meters[0] ?? "";
    await service.made(operator.changeMeter, { params: { id }, body: { asset_type: "battery" } });
    const { meter_id: _, ...reading } = kWh(id, 2, 42);
    expect((await upload(ben, [{ ...reading, site_id: ben.sites[0]?.id ?? "" }])).body).toEqual({ received: 1 });
    const { meters } = await service.made(operator.getAnySiteEnergy, {
      params: { id: ben.sites[0]?.id ?? "" },
      query: { ...HOUR, points: 1 },
    });
    expect(meters[0]).toMatchObject({ energy_kwh: null, charge: { value: 42 } });
  });

  test("are shown to the account, and stand in its files apart from load", async () => {
    await upload(anna, [kW(battery, 2, 10, 60), kWh(battery, 2, 500, 60), kW(load, 2, 5, 60)]);
    await enableDisplay(service, anna);
    const query = `start_time=${HOUR.start_time}&end_time=2026-07-01T18:01:00Z&interval_seconds=60`;
    const file = await service.operator("GET", `/sites/${siteId}/energy/download?${query}`);
    expect(file.text.split("\r\n").slice(0, 3)).toEqual([
      "timestamp,meter_id,meter_name,power_kw,energy_kwh,coverage,charge_kwh",
      `2026-07-01T18:01:00Z,${load},"load",5,0.0833333333,1,`,
      `2026-07-01T18:01:00Z,${battery},"battery",10,0.1666666667,1,500`,
    ]);
  });
});

const make = (body: object) => service.operator("POST", `/sites/${siteId}/meters`, body);

const change = (body: object) => service.operator("PATCH", `/meters/${load}`, body);

describe("what kWh of a meter mean", () => {
  test("is energy for all but batteries, and no setting of theirs", async () => {
    for (const asset_type of ["load", "generator", "poi"]) {
      expect((await make({ name: asset_type, asset_type })).body).toMatchObject({ kwh_means: "energy" });
      expectError(await make({ name: "m", asset_type, kwh_means: "charge" }), 400, /kwh_means is charge, which only/);
    }
    expect((await make({ name: "b", asset_type: "battery" })).body).toMatchObject({ kwh_means: "charge" });
    const kept = await make({ name: "c", asset_type: "battery", kwh_means: "energy" });
    expect(kept.body).toMatchObject({ kwh_means: "energy" });
    expectError(await make({ name: "d", asset_type: "battery", kwh_means: "undecided" }), 400, /kwh_means/);
    const site = { name: "new", meters: [{ name: "m", kwh_means: "charge" }] };
    expectError(await service.operator("POST", `/accounts/${anna.accountId}/sites`, site), 400, /kwh_means is charge/);
    expectError(await service.operator("PATCH", `/meters/${load}`, { kwh_means: "charge" }), 400, /only a battery/);
  });

  test("is undecided once a meter that sent readings becomes a battery, and energy once it is none", async () => {
    expect((await change({ asset_type: "battery" })).body).toMatchObject({ kwh_means: "charge" });
    expect((await change({ asset_type: "load" })).body).toMatchObject({ kwh_means: "energy" });
    await upload(anna, [kWh(load, 1, 1)]);
    expect((await change({ asset_type: "battery" })).body).toMatchObject({ kwh_means: "undecided" });
    await upload(anna, [kWh(load, 2, 1)]);
    expect(await powerOf(load)).toEqual({ [stamp(1)]: 120, [stamp(2)]: 120 });
    expect((await change({ name: "other" })).body).toMatchObject({ kwh_means: "undecided" });
    expect((await change({ kwh_means: "charge" })).body).toMatchObject({ kwh_means: "charge" });
    expect((await change({ asset_type: "generator" })).body).toMatchObject({ kwh_means: "energy" });
    const both = await change({ asset_type: "battery", kwh_means: "charge" });
    expect(both.body).toMatchObject({ kwh_means: "charge" });
  });
});
