import { operator } from "@curtail/contract";
import type { TSchema } from "typebox";
import { compileSchema } from "../../platform/http/validation.js";
import { quote } from "../../platform/quote.js";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import type { MeterDataFile } from "../operations/plan-meter-data.js";

type StatedMapping = NonNullable<MeterDataFile["options"]["mapping"]>;

const schema = operator.StatedMeterDataMapping;
const check = compileSchema({ schema, httpPart: "body", method: "PUT", url: "" });

/** Reads the mapping of a query. A misspelt member would be guessed in silence, so unknown ones are refused. */
export const mappingOf = (text: string): Result<StatedMapping> => {
  const value = parsed(text);
  if (value === undefined)
    return invalid(`mapping is "${quote(text)}"; give a JSON object such as {"time":{"format":"day_first"}}`);
  const refusal = refuseUnknown(value);
  if (refusal !== null) return refusal;
  const found = check(value);
  if (typeof found === "object" && "error" in found && found.error instanceof Error)
    return invalid(`mapping: ${found.error.message.replaceAll("the body", "it")}`);
  return value;
};

/** Refuses members that the contract does not have. */
export const refuseUnknown = (mapping: object): Refusal | null => {
  const unknown = unknownMember(mapping, schema, "");
  return unknown === null
    ? null
    : invalid(`mapping has the unknown member ${unknown.place}; remove it, or name one of ${unknown.known}`);
};

/** undefined: it is no JSON object. */
const parsed = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

interface Unknown {
  readonly place: string;
  readonly known: string;
}

/** The first member that the schema does not have, as `time.formt`. */
const unknownMember = (value: unknown, of: TSchema, place: string): Unknown | null => {
  if (Array.isArray(value)) return first(value.map((each) => unknownMember(each, part(of, "items"), `${place}[]`)));
  const members = part(of, "properties");
  if (typeof value !== "object" || value === null || Object.keys(members).length === 0) return null;
  return first(
    Object.entries(value).map(([name, inner]) => {
      const member = (members as Record<string, TSchema>)[name];
      const at = place === "" ? name : `${place}.${name}`;
      return member === undefined
        ? { place: `"${quote(at)}"`, known: Object.keys(members).join(", ") }
        : unknownMember(inner, member, at);
    }),
  );
};

const first = (all: readonly (Unknown | null)[]): Unknown | null => all.find((each) => each !== null) ?? null;

/** A part of a schema; that of an object or null is the object's. */
const part = (of: TSchema, name: "items" | "properties"): TSchema => {
  const { [name]: found, anyOf } = of as { readonly [N in typeof name]?: TSchema } & { readonly anyOf?: TSchema[] };
  const [choice] = anyOf ?? [];
  return found ?? (choice === undefined ? {} : part(choice, name));
};
