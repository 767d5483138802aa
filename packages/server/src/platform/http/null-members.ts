import type { TSchema } from "typebox";
import { onceFor } from "../once.js";

type Node = Readonly<Record<string, unknown>>;

/** What may be dropped of the values of a schema; null where nothing may, which need not be walked. */
interface Rules {
  readonly items: Rules | null;
  readonly members: ReadonlyMap<string, MemberRules>;
  /** Of members that a pattern names. */
  readonly others: Rules | null;
}

interface MemberRules {
  readonly isDroppedIfNull: boolean;
  readonly within: Rules | null;
}

const rulesBySchema = onceFor((schema: TSchema) => rulesOf([schema]));

/**
 * Removes null members where null has no meaning: generated clients send null for omitted members (G56). Other faults
 * remain.
 */
export const dropNulls = (schema: TSchema, value: unknown): void => {
  drop(rulesBySchema(schema), value);
};

/** Whether a value matches its schema, as sent or without the members that are dropped. */
export const meets = (compiled: { Check(value: unknown): boolean }, schema: TSchema, value: unknown): boolean => {
  if (compiled.Check(value)) return true;
  dropNulls(schema, value);
  return compiled.Check(value);
};

const drop = (rules: Rules | null, value: unknown): void => {
  if (rules === null) return;
  if (Array.isArray(value)) {
    if (rules.items !== null) for (const each of value) drop(rules.items, each);
  } else if (isNode(value)) dropMembers(rules, value);
};

const dropMembers = ({ members, others }: Rules, value: Record<string, unknown>): void => {
  for (const [name, member] of Object.entries(value)) {
    const rules = members.get(name);
    if (member !== null) drop(rules === undefined ? others : rules.within, member);
    else if (rules?.isDroppedIfNull === true) delete value[name];
  }
};

/** `schemas` are all that a value may match: the alternatives of a union. */
const rulesOf = (schemas: readonly unknown[]): Rules | null => {
  const nodes = schemas.flatMap(alternatives);
  const names = new Set(nodes.flatMap((node) => Object.keys(node["properties"] ?? {})));
  const rules = {
    items: within(nodes, (node) => node["items"]),
    members: new Map([...names].map((name) => [name, memberRulesOf(nodes, name)])),
    others: within(nodes, patternMember),
  };
  const ofMembers = [...rules.members.values()].some((each) => each.isDroppedIfNull || each.within !== null);
  return ofMembers || rules.items !== null || rules.others !== null ? rules : null;
};

const memberRulesOf = (nodes: readonly Node[], name: string): MemberRules => ({
  isDroppedIfNull: nodes.filter((node) => memberOf(node, name) !== undefined).every((node) => meansAbsent(node, name)),
  within: within(nodes, (node) => memberOf(node, name)),
});

const within = (nodes: readonly Node[], partOf: (node: Node) => unknown): Rules | null => {
  const parts = nodes.map(partOf).filter(isNode);
  return parts.length === 0 ? null : rulesOf(parts);
};

const meansAbsent = (node: Node, name: string): boolean =>
  isOptional(node, name) && !alternatives(memberOf(node, name)).some(takesNull);

const isOptional = (node: Node, name: string): boolean =>
  Object.hasOwn(node["properties"] ?? {}, name) &&
  !(Array.isArray(node["required"]) && node["required"].includes(name));

/** The schema of a member, by its name or by a pattern for any name. */
const memberOf = (node: Node, name: string): unknown => {
  const named = node["properties"];
  return isNode(named) && Object.hasOwn(named, name) ? named[name] : patternMember(node);
};

const patternMember = (node: Node): unknown => {
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
