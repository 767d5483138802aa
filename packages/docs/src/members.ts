import { type OpenApi, resolved, type Schema } from "./openapi.js";

/** A row of the table of members: `sites[].id`. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** Deeper members are named by their type alone. */
const MAX_DEPTH = 3;

/** The members of a body, nested ones below their parents. */
export const membersOf = (document: OpenApi, schema: Schema, path = "", depth = 0): readonly Member[] => {
  const whole = settled(document, schema);
  if (whole.items !== undefined) return membersOf(document, whole.items, `${path}[]`, depth);
  if (depth > MAX_DEPTH) return [];
  return Object.entries(whole.properties ?? {}).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const meaning = member.description ?? resolved(document, member).description ?? "";
    const row = {
      name: at,
      type: typeOf(document, member),
      isRequired: whole.required?.includes(name) ?? false,
      meaning,
    };
    return [row, ...membersOf(document, member, at, depth + 1)];
  });
};

/** Without its reference, and without null if there is only one other choice. */
const settled = (document: OpenApi, schema: Schema): Schema => {
  const whole = resolved(document, schema);
  const choices = (whole.anyOf ?? []).filter(({ type }) => type !== "null");
  const [only] = choices;
  return choices.length === 1 && only !== undefined ? resolved(document, only) : whole;
};

/** In a few words: `string or null`, `array of object`, `"basic", "update"`. */
export const typeOf = (document: OpenApi, schema: Schema): string => {
  const whole = resolved(document, schema);
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (whole.enum !== undefined) return whole.enum.map((each) => JSON.stringify(each)).join(", ");
  if (whole.anyOf !== undefined) return [...new Set(whole.anyOf.map((each) => typeOf(document, each)))].join(" or ");
  if (whole.items !== undefined) return `array of ${typeOf(document, whole.items)}`;
  const type = [whole.type ?? "any"].flat().join(" or ");
  return (whole.format === "date-time" ? "time" : type) + boundsOf(whole);
};

const boundsOf = ({ minimum, maximum }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? "" : `, at most ${maximum}`;
};

/** An example made of the members' examples. */
export const exampleOf = (document: OpenApi, schema: Schema, depth = 0): unknown => {
  const whole = settled(document, schema);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (whole.examples?.[0] !== undefined) return whole.examples[0];
  if (whole.const !== undefined) return whole.const;
  if (whole.enum !== undefined) return whole.enum[0];
  if (whole.anyOf?.[0] !== undefined) return exampleOf(document, whole.anyOf[0], depth);
  if (whole.items !== undefined) return depth > MAX_DEPTH ? [] : [exampleOf(document, whole.items, depth + 1)];
  if (whole.properties === undefined) return whole.type === "object" ? {} : null;
  const members = Object.entries(whole.properties).filter(([name]) => whole.required?.includes(name) ?? false);
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(document, member, depth + 1)]));
};
