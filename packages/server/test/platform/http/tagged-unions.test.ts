import Type from "typebox";
import { expect, test } from "vitest";
import { compileSchema } from "../../../src/platform/http/validation.js";

const cat = Type.Object({ kind: Type.Literal("cat"), name: Type.String(), lives: Type.Integer() });
const dog = Type.Object({ kind: Type.Literal("dog"), name: Type.String(), tricks: Type.Array(cat) });
const pet = Type.Union([cat, dog]);
const schema = Type.Object({
  pets: Type.Array(pet),
  best: Type.Optional(pet),
  value: Type.Optional(
    Type.Union([Type.Object({ text: Type.String() }), Type.Object({ text: Type.String({ minLength: 2 }) })]),
  ),
});

const faultOf = (value: unknown): string => {
  const checked = compileSchema({ schema, method: "POST", url: "/", httpPart: "body" })(value) as { error?: Error };
  return checked.error?.message ?? "";
};

test("the alternative that is meant is the only one whose faults are told", () => {
  expect(
    faultOf({
      pets: [
        { kind: "cat", name: "a" },
        { kind: "dog", name: 5, tricks: [{ kind: "cat", name: "b" }] },
      ],
    }),
  ).toBe(
    "pets[0].lives is missing; it must be given; pets[1].name is 5; it must be a text; pets[1].tricks[0].lives is missing; it must be given",
  );
  expect(faultOf({ pets: [], best: { kind: "dog" } })).toBe(
    "best.name is missing; it must be given; best.tricks is missing; it must be given",
  );
});

test("where none is meant, that is the only fault of the value", () => {
  expect(faultOf({ pets: [{}, { kind: "cow", name: 5 }, 7] })).toBe(
    'pets[0].kind is missing; it must be one of cat, dog; pets[1].kind is "cow"; it must be one of cat, dog; pets[2] is 7; it must be an object',
  );
});

test("alternatives without a tag share the rules that they have in common", () => {
  expect(faultOf({ pets: [], value: {} })).toBe("value.text is missing; it must be given");
  expect(faultOf({ pets: [], value: { text: 5 } })).toBe("value.text is 5; it must be a text");
});
