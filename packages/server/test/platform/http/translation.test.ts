import { datedVersions, idsIn, translated, translationOf, wordingOf } from "@curtail/contract";
import fc from "fast-check";
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { earlierVersions } from "../../../src/platform/runtime/settings.js";

const [v20201230] = datedVersions;
const name = v20201230 === undefined ? String : wordingOf(v20201230);
const same = (text: string): string => text;

test("the setting names the versions of the contract", () => {
  expect([...earlierVersions]).toEqual(datedVersions.map(({ date }) => date));
});

const id = { type: "string", identifies: "site" } as unknown as TSchema;
const schema = {
  type: "object",
  properties: {
    sites: { type: "array", items: { type: "object", properties: { id, site_id: id, name: { type: "string" } } } },
    chosen: { anyOf: [id, { type: "null" }] },
    metadata: { type: "object", patternProperties: { "^.*$": { type: "string" } } },
  },
} as unknown as TSchema;

const value = fc.record({
  sites: fc.array(fc.record({ id: fc.string(), site_id: fc.string(), name: fc.string() })),
  chosen: fc.option(fc.string()),
  metadata: fc.dictionary(fc.string(), fc.constantFrom("site_1", "sites", "x")),
});

test("a translation and its way back leave every value as it was", () => {
  const there = translationOf(schema, { from: same, to: name });
  const back = translationOf(schema, { from: name, to: same });
  fc.assert(
    fc.property(value, (given) => {
      const numbers = new Map([...idsIn(there, given)].map((found, index) => [found.id, index + 1]));
      const ids = new Map([...numbers].map(([text, number]) => [number, text]));
      const dated = translated(there, given, { id: (_of, text) => numbers.get(text), sentence: same });
      expect(Object.keys(dated as object)).toEqual(["facilities", "chosen", "metadata"]);
      expect(translated(back, dated, { id: (_of, number) => ids.get(number as number), sentence: same })).toEqual(
        given,
      );
      expect((dated as typeof given).metadata).toEqual(given.metadata);
    }),
  );
});

test("a member that only the current version has takes no other's place", () => {
  const back = translationOf(schema, { from: name, to: same });
  const sent = { sites: [{ id: 1 }], facilities: [{ id: 2, site_id: 3, facility_id: 4, name: "a" }] };
  const current = translated(back, sent, { id: (_of, number) => `n${String(number)}`, sentence: same });
  expect(current).toEqual({ sites: [{ id: "n2", site_id: "n4", name: "a" }] });
});
