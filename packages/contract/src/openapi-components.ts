import type { TSchema } from "typebox";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [member: string]: Json };

/** Schemas of a document by name. */
export type Components = Record<string, Json>;

/**
 * Copies a schema, moving every object into the components: generators of typed clients drop objects without a name,
 * or make up names of their own (G76). A schema keeps its `$id`; any other object is named after its place.
 *
 * @param name of the schema, if it is an object without an `$id`
 * @throws Error if two schemas claim one name, or objects of a union have none
 */
export const reference = (schema: TSchema, components: Components, name: string, description?: string): Json =>
  walk(JSON.parse(JSON.stringify(schema)) as Json, { components, name, description });

interface Place {
  readonly components: Components;
  readonly name: string;
  /** Of an object that has none of its own. */
  readonly description: string | undefined;
}

const walk = (node: Json, place: Place): Json => {
  if (node === null || typeof node !== "object" || Array.isArray(node)) return node;
  const { $id, documented, ...checked } = node;
  const rest = without({ ...checked, ...(isObject(documented) ? documented : {}) }, OWN_KEYWORDS);
  const isNamed = typeof $id === "string";
  const own = isNamed ? { ...place, name: $id } : placeOf(rest, place);
  const schema = exemplified(typed(partsOf(rest, own)));
  if (!isNamed && !isStructured(rest)) return schema;
  return component(own.name, described(schema, own), place.components);
};

/** Of our schemas, for earlier versions of the interface. */
const OWN_KEYWORDS: readonly string[] = ["identifies", "says"];

const isStructured = ({ type, properties }: JsonObject): boolean => type === "object" && isObject(properties);

/** A page of a list is named after its items, wherever it is returned. */
const placeOf = ({ properties }: JsonObject, place: Place): Place => {
  const { items, next_cursor, ...others } = isObject(properties) ? properties : {};
  const item = isObject(items) && isObject(items["items"]) ? items["items"]["$id"] : undefined;
  const isPage = next_cursor !== undefined && Object.keys(others).length === 0;
  return isPage && typeof item === "string"
    ? { ...place, name: `${item}Page`, description: "A page of a list." }
    : place;
};

/** Members that hold schemas; all others, such as examples, are values. */
const partsOf = (schema: JsonObject, place: Place): JsonObject =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, partOf(key, value, schema, place)]));

const partOf = (key: string, value: Json, parent: JsonObject, place: Place): Json => {
  const within = { ...place, description: text(parent["description"]) };
  if (key === "properties" && isObject(value)) return membersOf(value, place);
  if (key === "patternProperties" && isObject(value))
    return mapped(value, (each) => walk(each, { ...within, name: singular(place.name) }));
  if (key === "items" || key === "additionalProperties") return walk(value, { ...within, name: singular(place.name) });
  return (key === "anyOf" || key === "oneOf" || key === "allOf") && Array.isArray(value)
    ? alternativesOf(value, within)
    : value;
};

const membersOf = (properties: JsonObject, { components, name }: Place): JsonObject =>
  mapped(properties, (each, member) => walk(each, { components, name: name + pascal(member), description: undefined }));

const alternativesOf = (alternatives: Json[], place: Place): Json[] => {
  const nameless = alternatives.filter((each) => isObject(each) && isObject(each["properties"]) && !("$id" in each));
  if (nameless.length > 1) throw new Error(`the alternatives of ${place.name} need an $id each`);
  return alternatives.map((each) => walk(each, place));
};

const component = (name: string, schema: JsonObject, components: Components): Json => {
  const known = components[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two schemas are named ${name}: give one of them another $id`);
  components[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
};

const described = (schema: JsonObject, { description }: Place): JsonObject =>
  schema["description"] !== undefined || description === undefined ? schema : { ...schema, description };

/** Client generators need a type with the values of an enumeration. */
const typed = (schema: JsonObject): JsonObject => {
  const { enum: values } = schema;
  if (!Array.isArray(values) || schema["type"] !== undefined) return schema;
  if (values.every((value) => typeof value === "string")) return { type: "string", ...schema };
  return values.every(Number.isInteger) ? { type: "integer", ...schema } : schema;
};

/** A constant is its own example; an enumeration uses its first value, unless it should have none. */
const exemplified = (schema: JsonObject): JsonObject => {
  const { const: constant, enum: values } = schema;
  const { examples = [], ...rest } = schema;
  const example = constant ?? (Array.isArray(values) ? values[0] : undefined);
  if (schema["examples"] === undefined && example !== undefined) return { ...schema, examples: [example] };
  return Array.isArray(examples) && examples.length === 0 ? rest : schema;
};

/** `site_id` becomes `SiteId`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const singular = (name: string): string =>
  name
    .replace(/ies$/, "y")
    .replace(/(ch|sh|x|ss)es$/, "$1")
    .replace(/(?<!s)s$/, "");

const isObject = (node: Json | undefined): node is JsonObject =>
  node !== null && typeof node === "object" && !Array.isArray(node);

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const mapped = (object: JsonObject, by: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, by(value, name)]));

const text = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);
