import { events, programs, reports, resources, subscriptions, vens } from "@curtail/openadr-3";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import Type, { IsArray, IsObject, IsString, IsUnion, type TSchema } from "typebox";
import Value from "typebox/value";
import { expect, test } from "vitest";
import { knownMembers } from "../../../src/platform/http/known-members.js";

const unknownMembers = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,3}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 2,
});

/** Values of a schema with members that it does not define, anywhere. */
const valueOf = (schema: TSchema): fc.Arbitrary<unknown> => {
  if (IsArray(schema)) return fc.array(valueOf(schema.items), { maxLength: 3 });
  if (IsUnion(schema)) return fc.oneof(...schema.anyOf.map(valueOf));
  if (IsString(schema)) return fc.string();
  if (!IsObject(schema)) return fc.constant(Value.Create(schema));
  const members = Object.entries(schema.properties).map(([name, member]) => [name, valueOf(member)] as const);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [...(schema.required ?? [])] });
  return fc.tuple(known, unknownMembers).map(([own, others]) => ({ ...others, ...own }));
};

const kinds = { programs, events, reports, subscriptions, vens, resources };

test.for(
  Object.entries(kinds).flatMap(([name, kind]) => [
    [name, "create", kind.create.body] as const,
    [name, "update", kind.update.body] as const,
  ]),
)("of %s, %s: what the schema does not define is removed, as the library does", ([, , schema]) => {
  const clean = knownMembers(schema);
  fc.assert(
    fc.property(valueOf(schema), (value) => {
      expect(clean(structuredClone(value))).toEqual(Value.Clean(schema, structuredClone(value)));
    }),
    { numRuns: propertyRuns(50) },
  );
});

test("members of a record, and of an object that may have others, are kept", () => {
  const schema = Type.Object({
    open: Type.Object({ a: Type.Number() }, { additionalProperties: true }),
    record: Type.Record(Type.String(), Type.Object({ a: Type.Number() })),
    either: Type.Union([Type.Null(), Type.Record(Type.String(), Type.Number())]),
  });
  const value = { open: { a: 1, b: 2 }, record: { x: { a: 1, b: 2 } }, either: { y: 1 }, other: 3 };
  expect(knownMembers(schema)(value)).toEqual({ open: { a: 1, b: 2 }, record: { x: { a: 1 } }, either: { y: 1 } });
});
