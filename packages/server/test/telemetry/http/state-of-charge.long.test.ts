import { operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { powerOfEnergy } from "../../../src/telemetry/domain/reading.js";
import {
  anna,
  battery,
  chargeIn,
  chargeOf,
  decide,
  energyOf,
  HOUR,
  kW,
  kWh,
  powerOf,
  prepare,
  prepareEach,
  service,
  siteId,
  stamp,
  useSite,
} from "../../support/batteries.js";
import { pointsOf, read, upload } from "../../support/metering.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("kWh of a battery", () => {
  test("are taken by what the meter means when they arrive, at once and in every process", async () => {
    await upload(anna, [kWh(battery, 1, 500)]);
    await decide(battery, "energy");
    await upload(anna, [kWh(battery, 2, 1)]);
    await decide(battery, "charge");
    await upload(anna, [kWh(battery, 3, 510)]);
    expect(await powerOf(battery)).toEqual({ [stamp(2)]: 120 });
    expect(await chargeOf(battery)).toEqual({ [stamp(1)]: 500, [stamp(3)]: 510 });
    const other = await service.another();
    const byOther = (telemetry: readonly object[]) =>
      fetch(`${other}/2022-04-15/telemetry`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-service-api-key": anna.key },
        body: JSON.stringify({ telemetry }),
      });
    expect((await byOther([kWh(battery, 4, 520)])).status).toBe(200);
    await decide(battery, "energy");
    service.clock.advance({ seconds: 1 });
    expect((await byOther([kWh(battery, 5, 2)])).status).toBe(200);
    expect(await powerOf(battery)).toEqual({ [stamp(2)]: 120, [stamp(5)]: 240 });
  });
});

test("random uploads of batteries and others agree with a simple model", async () => {
  let sites = 0;
  const reading = fc.record({
    meter: fc.nat({ max: 2 }),
    unit: fc.constantFrom("kW", "kWh", "value kW"),
    cell: fc.integer({ min: 10, max: 30 }),
    cells: fc.integer({ min: 1, max: 10 }),
    value: fc.integer({ min: -1000, max: 1000 }),
  });
  const step = fc.record({
    telemetry: fc.array(reading, { minLength: 1, maxLength: 12 }),
    becomes: fc.option(fc.constantFrom("energy" as const, "charge" as const), { freq: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const site = await service.made(operator.createSite, {
        params: { id: anna.accountId },
        body: {
          name: `site ${++sites}`,
          meters: [
            { name: "load" },
            { name: "charge", asset_type: "battery" },
            { name: "energy", asset_type: "battery", kwh_means: "energy" },
          ],
        },
      });
      useSite(site.id);
      const meters = site.meters.map(({ id }) => id);
      const means = ["energy", "charge", "energy"];
      const power = meters.map((): Record<string, number> => ({}));
      const charge = meters.map((): Record<string, number> => ({}));
      for (const { telemetry, becomes } of steps) {
        if (becomes !== null) {
          await decide(meters[2] ?? "", becomes);
          means[2] = becomes;
        }
        const sent = telemetry.map(({ meter, unit, cell, cells, value }) => {
          const id = meters[meter] ?? "";
          const isCharge = unit === "kWh" && means[meter] === "charge";
          const seconds = cells * 30;
          const kept = unit === "kWh" && !isCharge ? powerOfEnergy(value, seconds) : value;
          for (let at = cell - cells + 1; at <= cell; at++)
            ((isCharge ? charge : power)[meter] ?? {})[stamp(at)] = kept;
          if (unit === "kW") return kW(id, cell, value, seconds);
          return { ...kWh(id, cell, value, seconds), units: unit === "kWh" ? ("kWh" as const) : ("kW" as const) };
        });
        expect((await upload(anna, sent)).body).toEqual({ received: sent.length });
      }
      const answer = await read(anna, [siteId], HOUR);
      const { meters: curves } = await energyOf();
      expect(meters.map((id) => Object.fromEntries(pointsOf(answer, id)))).toEqual(power);
      expect(curves.map(chargeIn)).toEqual(charge);
    }),
    { numRuns: propertyRuns(25, { atMost: 60 }) },
  );
}, 120_000);
