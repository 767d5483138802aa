import { expect, test } from "vitest";
import { meterAttributes, metersOfResource, type NamedMeter } from "../../src/mapping/meter-names.js";

const meter = (id: string, name: string): NamedMeter => ({ id, name });
const namesOf = (sites: Readonly<Record<string, readonly NamedMeter[]>>, taken: readonly string[] = []) => {
  const resources = Object.entries(sites).map(([resourceName, meters]) => ({ resourceName, meters }));
  const attributes = meterAttributes(resources, new Set(taken));
  return Object.keys(sites).map((name) => [...metersOfResource([...(attributes.get(name) ?? [])])]);
};

test("meters of a site with several are named by site and meter; a site with one is named itself", () => {
  expect(namesOf({ shop: [meter("m1", "main"), meter("m2", "roof")], flat: [meter("m3", "main")], bare: [] })).toEqual([
    [
      ["shop/main", "m1"],
      ["shop/roof", "m2"],
    ],
    [],
    [],
  ]);
});

test("a name that is taken, given twice or too long gives way to the id of the meter", () => {
  const two = [meter("m1", "main"), meter("m2", "main")];
  expect(namesOf({ shop: two })).toEqual([
    [
      ["shop/main", "m1"],
      ["m2", "m2"],
    ],
  ]);
  expect(namesOf({ shop: two }, ["shop/main"])[0]?.map(([name]) => name)).toEqual(["m1", "m2"]);
  expect(namesOf({ shop: two, "shop/main": [] })[0]?.map(([name]) => name)).toEqual(["m1", "m2"]);
  expect(namesOf({ ["s".repeat(124)]: two })[0]?.map(([name]) => name)).toEqual(["m1", "m2"]);
});
