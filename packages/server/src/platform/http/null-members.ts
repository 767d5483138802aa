import type { TSchema } from "typebox";

type Node = Readonly<Record<string, unknown>>;

/**
 * Removes null members where null has no meaning: generated clients send null for omitted members (G56). Other faults
 * remain.
 */
export const dropNulls = (schema: TSchema, value: unknown): void => drop([schema as Node], value);

/** Whether a value matches its schema, as sent or without the members that are dropped. */
export const meets = (compiled: { Check(value: unknown): boolean }, schema: TSchema, value: unknown): boolean => {
  if (compiled.Check(value)) return true;
  dropNulls(schema, value);
  return compiled.Check(value);
};

/** `schemas` are all that the value may match: the alternatives of a union. */
const drop = (schemas: readonly Node[], value: unknown): void => {
  const nodes = schemas.flatMap(alternatives);
  if (Array.isArray(value)) {
    const items = nodes.map((node) => node["items"]).filter(isNode);
    if (items.length > 0) for (const each of value) drop(items, each);
  } else if (isNode(value)) dropMembers(nodes, value);
};

const dropMembers = (nodes: readonly Node[], value: Record<string, unknown>): void => {
  for (const [name, member] of Object.entries(value)) {
    const naming = nodes.filter((node) => memberOf(node, name) !== undefined);
    if (member !== null) drop(naming.map((node) => memberOf(node, name)).filter(isNode), member);
    else if (naming.length > 0 && naming.every((node) => meansAbsent(node, name))) delete value[name];
  }
};

const meansAbsent = (node: Node, name: string): boolean =>
  isOptional(node, name) && !alternatives(memberOf(node, name)).some(takesNull);

const isOptional = (node: Node, name: string): boolean =>
  Object.hasOwn(node["properties"] ?? {}, name) &&
  !(Array.isArray(node["required"]) && node["required"].includes(name));

/** The schema of a member, by its name or by a pattern for any name. */
const memberOf = (node: Node, name: string): unknown => {
  const named = node["properties"];
  if (isNode(named) && Object.hasOwn(named, name)) return named[name];
  const others = node["patternProperties"];
  return isNode(others) ? Object.values(others)[0] : undefined;
};

const alternatives = (schema: unknown): Node[] => {
  if (!isNode(schema)) return [];
  return Array.isArray(schema["anyOf"]) ? schema["anyOf"].flatMap(alternatives) : [schema];
};

/** A schema without a type accepts everything. */
const takesNull = ({ type, const: only, enum: listed }: Node): boolean =>
  type === "null" || only === null || (Array.isArray(listed) && listed.includes(null)) || isUntyped(type, only, listed);

const isUntyped = (...kinds: readonly unknown[]): boolean => kinds.every((kind) => kind === undefined);

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
