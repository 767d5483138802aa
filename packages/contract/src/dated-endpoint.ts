import type { TObject, TSchema } from "typebox";
import { type DatedVersion, sentenceWordingOf, type Wording, wordingOf } from "./dated-version.js";
import type { Endpoint } from "./endpoint.js";
import { translated, translationOf } from "./translation.js";
import { type Identified, identified } from "./values.js";

/** Largest number of an entity: that of 32 bits, which clients of any language hold. */
export const MAX_NUMBER = 2_147_483_647;

/** An operation as an earlier version has it: its path, members, ids and texts; null if it has none such. */
export const datedEndpoint = (version: DatedVersion, endpoint: Endpoint): Endpoint | null => {
  if (!version.endpoints.some(({ id }) => id === endpoint.id)) return null;
  const name = wordingOf(version);
  const say = sentenceWordingOf(version);
  const { params, query, body, reply } = endpoint;
  const dated = <S extends TSchema>(schema: S): S => datedSchema(schema, { name, say }) as S;
  return {
    ...endpoint,
    id: name(endpoint.id),
    path: name(endpoint.path),
    tag: name(endpoint.tag),
    summary: say(endpoint.summary),
    description: say(endpoint.description),
    ...(params === undefined ? {} : { params: dated<TObject>(params) }),
    ...(query === undefined ? {} : { query: dated<TObject>(query) }),
    ...(body === undefined ? {} : { body: dated(body) }),
    ...(reply === undefined ? {} : { reply: dated(reply) }),
  };
};

interface Words {
  readonly name: Wording;
  readonly say: Wording;
}

type Node = Readonly<Record<string, unknown>>;

const datedSchema = (schema: unknown, words: Words): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => datedSchema(each, words));
  if (typeof schema !== "object" || schema === null) return schema;
  const node = schema as Node;
  const { identifies } = node;
  if (identifies !== undefined) return numbered(node, identifies as Identified, words);
  const parts = Object.entries(node).map(([key, part]) => [key, partOf(key, part, node, words)]);
  return Object.fromEntries(parts) as Node;
};

/** Its texts have nothing to do with a number: length, pattern. */
const numbered = ({ description, examples }: Node, of: Identified, { say }: Words): Node => ({
  type: "integer",
  minimum: 1,
  maximum: MAX_NUMBER,
  ...(typeof description === "string" ? { description: say(description) } : {}),
  // With one of its own, it would make the example of an object that may not have it.
  examples: Array.isArray(examples) && examples.length === 0 ? [] : [exampleOf(of)],
});

/** The number in examples. */
export const exampleOf = (of: Identified): number => 1001 + identified.indexOf(of);

const partOf = (key: string, part: unknown, node: Node, words: Words): unknown => {
  switch (key) {
    case "$id":
      return words.name(String(part));
    case "description":
      return words.say(String(part));
    case "required":
      return (part as readonly string[]).map(words.name);
    case "properties":
      return Object.fromEntries(
        Object.entries(part as Node).map(([name, member]) => [words.name(name), datedSchema(member, words)]),
      );
    case "examples":
      return examplesOf(part as readonly unknown[], node, words);
    case "const":
    case "enum":
    case "pattern":
      return part;
    default:
      return datedSchema(part, words);
  }
};

const examplesOf = (examples: readonly unknown[], node: Node, { name, say }: Words): readonly unknown[] => {
  const translation = translationOf(node, { from: (each) => each, to: name });
  return examples.map((example) => translated(translation, example, { id: exampleOf, sentence: say }));
};
