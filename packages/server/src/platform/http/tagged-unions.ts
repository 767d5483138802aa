import type { TSchema } from "typebox";

/** A fault as the schema's check reports it. */
interface UnionFault {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

type Node = Readonly<Record<string, unknown>>;

/** A union whose alternatives each have another fixed value of one member, such as `objectType`. */
interface TaggedUnion {
  /** Path of the union in the schema. */
  readonly path: string;
  readonly tag: string;
  /** By alternative. */
  readonly values: readonly unknown[];
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/**
 * Leaves the faults of the alternative that a value means: a union reports those of every one. Where the tag names none,
 * that is the only fault.
 */
export const meantFaults = (schema: TSchema, value: unknown, faults: readonly UnionFault[]): UnionFault[] => {
  const wrongTags = new Map<string, UnionFault>();
  const meant = faults.filter((fault) =>
    unionsAround(schema, fault.schemaPath).every(({ alternative, ...union }) => {
      const at = instanceOf(union.path, fault.instancePath);
      if (!isNode(memberAt(value, at))) return true;
      const given = memberAt(value, `${at}/${union.tag}`);
      const chosen = union.values.indexOf(given);
      if (chosen === -1) wrongTags.set(at, wrongTag(union, at));
      return chosen === alternative;
    }),
  );
  return [...wrongTags.values(), ...meant];
};

const wrongTag = ({ path, tag, values }: TaggedUnion, at: string): UnionFault => ({
  keyword: "enum",
  schemaPath: path,
  instancePath: `${at}/${tag}`,
  params: { allowedValues: values },
  message: "must be one of the alternatives",
});

/** The tagged unions that a fault lies in, from the outside, with the alternative that it is of. */
const unionsAround = (schema: TSchema, schemaPath: string): Array<TaggedUnion & { readonly alternative: number }> =>
  [...schemaPath.matchAll(/\/anyOf\/(\d+)/g)].flatMap(({ index, 1: alternative }) => {
    const path = schemaPath.slice(0, index);
    const union = tagged(path, memberAt(schema, path.slice(1)));
    return union === null ? [] : [{ ...union, alternative: Number(alternative) }];
  });

const tagged = (path: string, node: unknown): TaggedUnion | null => {
  const alternatives = isNode(node) && Array.isArray(node["anyOf"]) ? (node["anyOf"] as unknown[]) : [];
  const members = alternatives.map((each) => (isNode(each) && isNode(each["properties"]) ? each["properties"] : {}));
  const tag = Object.keys(members[0] ?? {}).find((name) => members.every((each) => constOf(each[name]) !== undefined));
  return tag === undefined ? null : { path, tag, values: members.map((each) => constOf(each[tag])) };
};

const constOf = (node: unknown): unknown => (isNode(node) ? node["const"] : undefined);

/** Keywords that are followed by a name of theirs; all but an alternative lead to a part of the value. */
const NAMED = ["properties", "patternProperties", "anyOf", "allOf", "oneOf"];

/** The beginning of the path of a fault that leads to the value of a union. */
const instanceOf = (unionPath: string, instancePath: string): string => {
  const parts = unionPath.split("/").slice(1);
  let depth = 0;
  for (let at = 0; at < parts.length; at++) {
    const keyword = parts[at] ?? "";
    if (!keyword.endsWith("Of")) depth++;
    if (NAMED.includes(keyword)) at++;
  }
  return instancePath
    .split("/")
    .slice(0, depth + 1)
    .join("/");
};

const memberAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((node, part) => (isNode(node) && Object.hasOwn(node, part) ? node[part] : undefined), value);
