import { expect, test } from "vitest";
import { measuredMeters } from "../../src/rules/measured-meters.js";

const meter = (id: string, asset_type: "load" | "poi") => ({
  id,
  name: id,
  asset_type,
  kwh_means: "energy" as const,
  last_reading: null,
  last_charge: null,
});

test("a site is measured by the meters that are chosen, by its points of interconnection, or by all", () => {
  const meters = [meter("hall", "load"), meter("grid", "poi")];
  expect(measuredMeters({ meters, measured_meters: ["hall"] })).toEqual(["hall"]);
  expect(measuredMeters({ meters, measured_meters: null })).toEqual(["grid"]);
  expect(measuredMeters({ meters: meters.slice(0, 1), measured_meters: null })).toEqual(["hall"]);
});
