import type { TSchema } from "typebox";

/** Outgoing times are UTC with Z (G8), in whole seconds for participants' systems (G58). */
const TIMESTAMP = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$`;
const WHOLE_SECONDS = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`;
/** `site_9d4f7g2h5j8k`: the kind of object, and its name. */
const ID = /^([a-z]+)_[0-9a-z]{12,32}$/;

export interface Strictness {
  readonly wholeSeconds: boolean;
  /** Schemas by their references. */
  readonly components: Readonly<Record<string, TSchema>>;
}

/**
 * A stricter form of the documents' schema for replies: no additional members, times in our format, ids of the kinds
 * that the examples show.
 */
export const strict = (schema: unknown, how: Strictness): TSchema => walk(schema, how) as TSchema;

const walk = (node: unknown, how: Strictness): unknown => {
  if (Array.isArray(node)) return node.map((each) => walk(each, how));
  if (node === null || typeof node !== "object") return node;
  const { $ref: reference, ...schema } = node as Record<string, unknown>;
  if (typeof reference === "string") return walk(how.components[reference.replace(/^.*\//, "")], how);
  const walked = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, walk(value, how)]));
  if (walked["type"] === "object") return { ...walked, additionalProperties: false };
  return walked["type"] === "string" ? { ...walked, ...formOf(walked, how) } : walked;
};

const formOf = ({ format, examples }: Record<string, unknown>, { wholeSeconds }: Strictness): object => {
  if (format === "date-time") return { format: undefined, pattern: wholeSeconds ? WHOLE_SECONDS : TIMESTAMP };
  const kinds = Array.isArray(examples) ? examples.map((each) => ID.exec(String(each))?.[1]) : [];
  return kinds.length === 0 || kinds.includes(undefined) ? {} : { pattern: `^(${kinds.join("|")})_[0-9a-z_-]+$` };
};
