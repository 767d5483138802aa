import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { expect, test } from "vitest";
import { compileSchema, Faults } from "../../../src/platform/http/validation.js";

const schema = Type.Object({
  name: Type.String(),
  sites: Type.Array(Type.Object({ id: Type.String(), kw: Type.Optional(Type.Number()) }), {
    minItems: 1,
    maxItems: 50_000,
  }),
});
const check = compileSchema({ schema, httpPart: "body", method: "POST", url: "/" });
const faultsOf = (value: unknown): string | null => {
  const { error } = check(value) as { readonly error?: Error };
  return error?.message ?? null;
};
const rightOnes = (count: number): unknown[] => Array.from({ length: count }, (_, at) => ({ id: `s${at}` }));

test("a long list's wrong elements are named by their places in it", () => {
  const sites = rightOnes(20_000).with(19_999, { id: 1 }).with(1500, { id: "s", kw: "a" });
  expect(faultsOf({ name: "n", sites })).toBe(
    'sites[1500].kw is "a"; it must be a number; sites[19999].id is 1; it must be a text',
  );
});

test("what else is wrong is named where all elements of a long list are right", () => {
  expect(faultsOf({ sites: rightOnes(20_000) })).toBe("name is missing; it must be given");
});

test("a body that is no object is named as what it is", () => {
  expect(faultsOf([])).toBe("the body is a list of 0; it must be an object");
  expect(faultsOf(rightOnes(2000))).toBe("the body is a list of 2000; it must be an object");
  expect(faultsOf(1)).toBe("the body is 1; it must be an object");
});

test("faults are those that the whole list has", () => {
  const wrong = fc.constantFrom<unknown>({ id: 1 }, {}, null, 1, { id: 2, kw: "a" });
  const places = fc.array(fc.tuple(fc.nat(1100), wrong), { maxLength: 300 });
  fc.assert(
    fc.property(places, fc.constantFrom<unknown>("n", 1), (changes, name) => {
      const sites = rightOnes(1101);
      for (const [at, element] of changes) sites[at] = element;
      const value = { name, sites };
      const whole = new Faults();
      whole.add(Compile(schema).Errors(value), value);
      expect(faultsOf(structuredClone(value))).toBe(whole.isEmpty ? null : whole.error().message);
    }),
    { numRuns: propertyRuns(50, { atMost: 200 }) },
  );
});
