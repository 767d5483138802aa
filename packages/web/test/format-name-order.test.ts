import { expect, test } from "vitest";
import { byName } from "../src/format/name-order.js";

test("names are in the order in which people count, whatever their case", () => {
  const names = ["Site 10", "site 2", "Site 1", "Äcker 3", "Zeche 1", "Site 2b", "Acker 12"];
  expect(names.toSorted(byName)).toEqual(["Äcker 3", "Acker 12", "Site 1", "site 2", "Site 2b", "Site 10", "Zeche 1"]);
});
