import { expect, test } from "vitest";
import { uniqueNames } from "../../src/mapping/names.js";

const namesOf = (named: ReadonlyArray<readonly [string, string]>, taken: readonly string[] = []) => [
  ...uniqueNames(
    named.map(([id, name]) => ({ id, name })),
    new Set(taken),
  ).values(),
];

test("each has its own name", () => {
  expect(
    namesOf([
      ["site_1", " store-12 "],
      ["site_2", "store-13"],
    ]),
  ).toEqual(["store-12", "store-13"]);
});

test("the id stands in for no name, one that is too long, and the one of aggregated reports", () => {
  expect(
    namesOf([
      ["site_1", " "],
      ["site_2", "x".repeat(129)],
      ["site_3", "AGGREGATED_REPORT"],
    ]),
  ).toEqual(["site_1", "site_2", "site_3"]);
  expect(namesOf([["site_1", "x".repeat(128)]])).toEqual(["x".repeat(128)]);
});

test("the first of several with the same name has it", () => {
  expect(
    namesOf([
      ["site_1", "store"],
      ["site_2", "store"],
    ]),
  ).toEqual(["store", "site_2"]);
});

test("names of others are not used, not even ids", () => {
  expect(namesOf([["site_1", "store"]], ["store"])).toEqual(["site_1"]);
  expect(namesOf([["site_1", "store"]], ["store", "site_1"])).toEqual(["site_1-2"]);
  expect(
    namesOf([
      ["site_1", "site_2"],
      ["site_2", ""],
    ]),
  ).toEqual(["site_2", "site_2-2"]);
});
