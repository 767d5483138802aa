import Type from "typebox";
import { describe, expect, test } from "vitest";
import { longLists } from "../../../src/platform/http/long-lists.js";
import { compileSchema } from "../../../src/platform/http/validation.js";

const schema = Type.Object({
  sites: Type.Optional(Type.Array(Type.Object({ name: Type.String() }), { maxItems: 2 })),
  runs: Type.Optional(
    Type.Record(Type.String(), Type.Object({ states: Type.Array(Type.Number(), { maxItems: 3 }) }), {}),
  ),
});

describe("lists that are too long", () => {
  test("are found wherever they stand, in a list or under any name", () => {
    expect(
      longLists(schema, { sites: [{}, {}, {}], runs: { a: { states: [1, 2, 3, 4] }, b: { states: [1] } } }),
    ).toEqual([
      { path: ["sites"], most: 2 },
      { path: ["runs", "a", "states"], most: 3 },
    ]);
    expect(longLists(schema, { sites: [{}, {}] })).toEqual([]);
    expect(longLists(schema, { sites: "none", runs: null })).toEqual([]);
  });

  test("are named with their limit, and their elements are not looked at", () => {
    const check = compileSchema({ schema, httpPart: "body" } as never) as (value: unknown) => { error?: Error };
    expect(check({ sites: [{}, {}, {}] }).error?.message).toBe("sites is a list of 3; it must have at most 2 elements");
    expect(check({ sites: [{}, {}] }).error?.message).toMatch(/^sites\[0\]\.name is missing/);
  });

  test("are found where something else may stand instead, such as a word or null", () => {
    const either = Type.Object({
      sites: Type.Union([Type.Literal("all"), Type.Array(Type.String(), { maxItems: 2 }), Type.Null()]),
    });
    expect(longLists(either, { sites: ["a", "b", "c"] })).toEqual([{ path: ["sites"], most: 2 }]);
    expect(longLists(either, { sites: "all" })).toEqual([]);
  });

  test("are looked for up to twenty", () => {
    const runs = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`run ${at}`, { states: [1, 2, 3, 4] }]));
    expect(longLists(schema, { runs })).toHaveLength(20);
  });
});
