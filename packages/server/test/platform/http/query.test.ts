import Type from "typebox";
import { expect, test } from "vitest";
import { queryValues } from "../../../src/platform/http/query.js";

test.for([
  ["9", 9],
  ["4000000000", 4_000_000_000],
  ["99999999999999999999", 1e20],
])("a whole number of a query is read at any length: %s", ([text, value]) => {
  expect(queryValues(Type.Object({ limit: Type.Integer() }), { limit: text })).toEqual({ limit: value });
});

test.for(["", "-1", "1.5", "1e3", "ten", "9".repeat(301)])("what is no whole number stays a text: %s", (text) => {
  expect(queryValues(Type.Object({ limit: Type.Integer() }), { limit: text })).toEqual({ limit: text });
});
