import type { TSchema } from "typebox";
import type { Wording } from "./dated-version.js";
import type { Identified } from "./values.js";

type Node = Readonly<Record<string, unknown>>;

/** What changes in values of a schema between two versions; null where nothing does, which need not be walked. */
export interface Translation {
  /** Of a value that identifies something: what. */
  readonly identifies: Identified | null;
  /** Whether it is a sentence for people. */
  readonly says: boolean;
  readonly items: Translation | null;
  readonly members: ReadonlyMap<string, MemberTranslation>;
  /** Of members that a pattern names. */
  readonly others: Translation | null;
}

interface MemberTranslation {
  /** Name in the version that is translated to. */
  readonly name: string;
  readonly within: Translation | null;
}

/** How the parts of a value are said in the version that is translated to. */
export interface Sayings {
  readonly id: (of: Identified, id: unknown) => unknown;
  readonly sentence: Wording;
}

/** An identifier in a value. */
export interface FoundId {
  readonly of: Identified;
  readonly id: unknown;
}

/**
 * How values of a schema are translated.
 *
 * @param schema of the current version
 * @param names for each member's name in the current version, its names in the versions translated from and to
 */
export const translationOf = (
  schema: TSchema,
  names: { readonly from: Wording; readonly to: Wording },
): Translation | null => {
  const within = (schemas: readonly unknown[]): Translation | null => {
    const nodes = schemas.flatMap(alternatives);
    const memberNames = new Set(nodes.flatMap((node) => Object.keys(propertiesOf(node))));
    const members = [...memberNames].map((name): readonly [string, MemberTranslation] => [
      names.from(name),
      { name: names.to(name), within: within(nodes.map((node) => propertiesOf(node)[name])) },
    ]);
    const translation: Translation = {
      identifies: (nodes.find((node) => "identifies" in node)?.["identifies"] as Identified | undefined) ?? null,
      says: nodes.some((node) => node["says"] === true),
      items: withinAny(nodes.map((node) => node["items"])),
      members: new Map(members),
      others: withinAny(nodes.flatMap((node) => Object.values((node["patternProperties"] ?? {}) as Node))),
    };
    return changesNothing(translation) ? null : translation;
  };
  const withinAny = (schemas: readonly unknown[]) => (schemas.some(isNode) ? within(schemas) : null);
  return within([schema]);
};

const changesNothing = ({ identifies, says, items, members, others }: Translation): boolean =>
  identifies === null &&
  !says &&
  items === null &&
  others === null &&
  [...members].every(([from, { name, within }]) => from === name && within === null);

/** Every identifier in a value, whatever was given in its place. */
export function* idsIn(translation: Translation | null, value: unknown): Generator<FoundId> {
  if (translation === null) return;
  if (Array.isArray(value)) for (const each of value) yield* idsIn(translation.items, each);
  else if (isNode(value)) {
    for (const [name, member] of Object.entries(value)) yield* idsIn(ofMember(translation, name), member);
  } else if (translation.identifies !== null && isGiven(value)) yield { of: translation.identifies, id: value };
}

/** Every sentence in a value. */
export function* sentencesIn(translation: Translation | null, value: unknown): Generator<string> {
  if (translation === null) return;
  if (Array.isArray(value)) for (const each of value) yield* sentencesIn(translation.items, each);
  else if (isNode(value)) {
    for (const [name, member] of Object.entries(value)) yield* sentencesIn(ofMember(translation, name), member);
  } else if (translation.says && typeof value === "string") yield value;
}

/** A translated copy; what is no plain JSON passes as it is. */
export const translated = (translation: Translation | null, value: unknown, sayings: Sayings): unknown => {
  if (translation === null) return value;
  if (Array.isArray(value)) return value.map((each) => translated(translation.items, each, sayings));
  if (isNode(value)) return translatedMembers(translation, value, sayings);
  if (translation.identifies !== null && isGiven(value)) return sayings.id(translation.identifies, value);
  return translation.says && typeof value === "string" ? sayings.sentence(value) : value;
};

const translatedMembers = (translation: Translation, value: Node, sayings: Sayings): Node => {
  const renamed = new Set([...translation.members.values()].map(({ name }) => name));
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const known = translation.members.get(name);
    const to = known?.name ?? name;
    // A member that the version does not know must not take the place of one that it does.
    if (known === undefined && renamed.has(name)) continue;
    members.push([to, translated(ofMember(translation, name), member, sayings)]);
  }
  return Object.fromEntries(members);
};

const ofMember = ({ members, others }: Translation, name: string): Translation | null => {
  const known = members.get(name);
  return known === undefined ? others : known.within;
};

const alternatives = (schema: unknown): Node[] => {
  if (!isNode(schema)) return [];
  return Array.isArray(schema["anyOf"]) ? schema["anyOf"].flatMap(alternatives) : [schema];
};

const propertiesOf = (node: Node): Node => (node["properties"] ?? {}) as Node;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

const isNode = (value: unknown): value is Node => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
