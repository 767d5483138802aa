import type { TSchema } from "typebox";

/** A list that is longer than its schema allows. */
export interface LongList {
  readonly path: readonly string[];
  readonly most: number;
}

/** Stop there: one is enough to refuse a body. */
const MAX_FOUND = 20;

type Node = Readonly<Record<string, unknown>>;

/**
 * Finds lists that are too long without checking their elements: listing the faults of those takes longer the more
 * there are, and the request is refused in any case.
 */
export const longLists = (schema: TSchema, value: unknown): readonly LongList[] => {
  const found: LongList[] = [];
  look(schema as Node, value, { path: [], found });
  return found;
};

interface Looking {
  readonly path: readonly string[];
  readonly found: LongList[];
}

const look = (schema: Node, value: unknown, { path, found }: Looking): void => {
  if (found.length === MAX_FOUND || typeof value !== "object" || value === null) return;
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) return lookAtUnion(anyOf.filter(isNode), value, { path, found });
  if (Array.isArray(value)) return lookAtList(schema, value, { path, found });
  const named = membersOf(schema["properties"]);
  const [others] = Object.values(membersOf(schema["patternProperties"]));
  for (const [name, member] of Object.entries(value)) {
    const of = Object.hasOwn(named, name) ? named[name] : others;
    if (of !== undefined) look(of, member, { path: [...path, name], found });
  }
};

/** Follows the alternative for a list or an object if there is exactly one. */
const lookAtUnion = (alternatives: readonly Node[], value: object, looking: Looking): void => {
  const type = Array.isArray(value) ? "array" : "object";
  const [alternative, ...others] = alternatives.filter((each) => each["type"] === type);
  if (alternative !== undefined && others.length === 0) look(alternative, value, looking);
};

const lookAtList = (schema: Node, list: readonly unknown[], { path, found }: Looking): void => {
  const { maxItems, items } = schema;
  if (typeof maxItems !== "number") return;
  if (list.length > maxItems) found.push({ path, most: maxItems });
  else if (isNode(items) && hasList(items))
    for (const [at, each] of list.entries()) look(items, each, { path: [...path, `${at}`], found });
};

/** Whether there may be a list in a value: most elements have none, and need not be walked. */
const hasList = (schema: Node): boolean =>
  schema["type"] === "array" ||
  [schema["anyOf"], schema["properties"], schema["patternProperties"]].some((parts) =>
    Object.values(parts ?? {}).some((part) => isNode(part) && hasList(part)),
  );

const membersOf = (members: unknown): Readonly<Record<string, Node>> =>
  isNode(members) ? (members as Readonly<Record<string, Node>>) : {};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
