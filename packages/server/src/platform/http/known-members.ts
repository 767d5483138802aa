import { IsArray, IsObject, IsUnion, type TSchema } from "typebox";
import Value from "typebox/value";

/** Removes from a value what its schema does not define. */
type Cleaner = (value: unknown) => unknown;

/**
 * Removes members that a schema does not define from values that satisfy it, as `Value.Clean` does, whose time for a report of a
 * hundred intervals was a third of the whole request: it sorts the schema and tries the alternatives of each value anew.
 */
export const knownMembers = (schema: TSchema): Cleaner => cleanerOf(schema) ?? same;

const same: Cleaner = (value) => value;

const PLAIN = new Set(["String", "Number", "Integer", "Boolean", "Literal", "Enum", "Null"]);

/** Null: its values have no members. */
const cleanerOf = (schema: TSchema): Cleaner | null => {
  if (IsObject(schema) && !("additionalProperties" in schema)) return cleanerOfObject(schema.properties);
  if (IsArray(schema)) return cleanerOfItems(cleanerOf(schema.items));
  const alternatives = IsUnion(schema) ? schema.anyOf : [schema];
  const [only, ...others] = alternatives.filter((each) => !PLAIN.has(kindOf(each)));
  if (only === undefined) return null;
  // What is no object is left as it is.
  return others.length === 0 && IsObject(only) && only !== schema
    ? cleanerOf(only)
    : (value) => Value.Clean(schema, value);
};

const kindOf = (schema: TSchema): string => String((schema as { readonly "~kind"?: unknown })["~kind"]);

const cleanerOfItems = (item: Cleaner | null): Cleaner | null =>
  item === null ? null : (value) => (Array.isArray(value) ? value.map(item) : value);

const cleanerOfObject = (properties: Readonly<Record<string, TSchema>>): Cleaner => {
  const members = new Map(Object.entries(properties).map(([name, schema]) => [name, cleanerOf(schema)]));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const object = value as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      const member = members.get(name);
      if (member === undefined) delete object[name];
      else if (member !== null) object[name] = member(object[name]);
    }
    return object;
  };
};
