import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** Finding the faults of a body takes some microseconds for each element that has none. */
const LONG = 1000;
/** More than are named (G6). */
const MOST_WRONG = 200;

type Node = Readonly<Record<string, unknown>>;

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
