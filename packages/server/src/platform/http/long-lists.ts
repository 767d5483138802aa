import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

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

/** Finding the faults of a body takes some microseconds for each element that has none. */
const LONG = 1000;
/** More than are named (G6). */
const MOST_WRONG = 200;

/** Members of a body that are long lists, each with the check of an element. */
export type LongLists = ReadonlyMap<string, (element: unknown) => boolean>;

export const longListsOf = (schema: TSchema): LongLists => {
  const members = Object.entries(((schema as Node)["properties"] ?? {}) as Readonly<Record<string, Node>>);
  return new Map(
    members.flatMap(([name, member]) => {
      const list = listOf(member);
      if (list === undefined || !(Number(list["maxItems"]) > LONG)) return [];
      const item = Compile(list["items"] as TSchema);
      return [[name, (element: unknown) => item.Check(element)] as const];
    }),
  );
};

/** A list whose elements count each by itself, perhaps besides null. */
const listOf = (member: Node): Node | undefined =>
  [member, ...((member["anyOf"] ?? []) as readonly Node[])].find(
    (each) => each["type"] === "array" && each["uniqueItems"] !== true,
  );

interface Shortened {
  readonly body: unknown;
  /** The place in the body of a fault in the shortened one. */
  readonly placeOf: (instancePath: string) => string;
}

/** The body with only the first wrong elements of its long lists: its other faults are the same. */
export const shortened = (lists: LongLists, body: unknown): Shortened => {
  const kept = new Map<string, readonly number[]>();
  if (typeof body !== "object" || body === null || Array.isArray(body)) return { body, placeOf: (path) => path };
  const short: Record<string, unknown> = { ...body };
  for (const [name, isRight] of lists) {
    const list = short[name];
    if (!Array.isArray(list) || list.length <= LONG) continue;
    const places = placesOfWrong(list, isRight);
    kept.set(name, places);
    short[name] = places.map((at) => list[at] as unknown);
  }
  return {
    body: short,
    placeOf: (path) => {
      const [, name = "", at, ...within] = path.split("/");
      const place = at === undefined ? undefined : kept.get(name)?.[Number(at)];
      return place === undefined ? path : ["", name, place, ...within].join("/");
    },
  };
};

/** Places of the first wrong elements; the first place where all are right, so that the list is not empty. */
const placesOfWrong = (list: readonly unknown[], isRight: (element: unknown) => boolean): readonly number[] => {
  const places: number[] = [];
  for (let at = 0; at < list.length && places.length < MOST_WRONG; at++) if (!isRight(list[at])) places.push(at);
  return places.length === 0 ? [0] : places;
};
