import type { TObject, TSchema } from "typebox";

/** Query strings contain only text: parses members that are lists, numbers or booleans in the contract. */
export const queryValues = (schema: TObject, raw: unknown): Record<string, unknown> => {
  const given = storable(raw as Record<string, string | string[]>);
  const known = Object.entries(schema.properties).filter(([name]) => Object.hasOwn(given, name));
  return Object.fromEntries(known.map(([name, property]) => [name, valueOf(property, given[name])]));
};

const valueOf = (schema: TSchema, raw: string | string[] | undefined): unknown => {
  const { type, enum: values, items } = schema as { type?: string; enum?: unknown[]; items?: TSchema };
  if (type === "array") return [raw ?? []].flat().map((each) => (items === undefined ? each : valueOf(items, each)));
  if (type === "boolean") return raw === "true" || raw === "false" ? raw === "true" : raw;
  const isNumber = type === "integer" || typeof values?.[0] === "number";
  return isNumber && typeof raw === "string" && /^\d{1,300}$/.test(raw) ? Number(raw) : raw;
};

/**
 * No id contains a NUL, and the database accepts none: without it, the id is looked up and not found, like any unknown
 * id.
 */
export const storable = <T extends string | string[]>(texts: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, withoutNul(text)]));

const withoutNul = <T extends string | string[]>(text: T): T =>
  (typeof text === "string" ? text.replaceAll("\0", "\ufffd") : text.map(withoutNul)) as T;
