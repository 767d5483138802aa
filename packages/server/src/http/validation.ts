import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import Format from "typebox/format";
import { Settings } from "typebox/system";
import { HttpError } from "./error-replies.js";

// `format` describes; timestamps are read once, by the domain, with a message of their own.
Format.Clear();

const MAX_SHOWN = 20;
// Left at 8, one upload would name fewer than the 20 places of G6; without a bound, 50,000 bad readings would take long.
const MAX_FAULTS = 1000;
Settings.Set({ maxErrors: MAX_FAULTS });

interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** Checks a request against its contract; nothing is coerced and unknown members stay unread (G5). */
export const compileSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = Compile(schema);
  const whole = httpPart === "body" ? "the body" : "the query";
  return (value: unknown) => {
    if (compiled.Check(value)) return { value };
    const faults = describe(compiled.Errors(value), value, whole);
    return { error: new HttpError(400, faults) };
  };
};

/** The first 20 faults as `telemetry[3].interval_seconds is 45; it must be divisible by 30` (G6). */
const describe = (faults: readonly SchemaFault[], value: unknown, whole: string): string => {
  const messages = new Map<string, string>();
  for (const fault of faults) {
    for (const { place, rule } of rulesOf(fault)) {
      const path = [...fault.instancePath.split("/").slice(1), ...place];
      const name = nameOf(path, whole);
      const before = messages.get(name);
      // A union reports each of its branches; they are alternatives.
      messages.set(
        name,
        before === undefined ? `${name} ${shown(value, path)}; it must ${rule}` : `${before} or ${rule}`,
      );
    }
  }
  const all = [...messages.values()];
  const atLeast = faults.length < MAX_FAULTS ? "" : "at least ";
  const more = all.length > MAX_SHOWN ? `; and ${atLeast}${all.length - MAX_SHOWN} more` : "";
  return all.slice(0, MAX_SHOWN).join("; ") + more;
};

const rulesOf = ({ keyword, params, message }: SchemaFault): Array<{ place: string[]; rule: string }> => {
  const known = params as Record<string, unknown>;
  const limit = String(known["limit"]);
  switch (keyword) {
    case "required":
      return (known["requiredProperties"] as string[]).map((name) => ({ place: [name], rule: "be given" }));
    case "multipleOf":
      return [{ place: [], rule: `be divisible by ${String(known["multipleOf"])}` }];
    case "minimum":
    case "maximum":
      return [{ place: [], rule: `be ${keyword === "minimum" ? "at least" : "at most"} ${limit}` }];
    case "enum":
      return [{ place: [], rule: `be one of ${(known["allowedValues"] as unknown[]).join(", ")}` }];
    case "pattern":
      return [{ place: [], rule: "have the form the documentation gives, without control characters" }];
    case "const":
      return [{ place: [], rule: `be ${JSON.stringify(known["allowedValue"])}` }];
    case "type":
      return [{ place: [], rule: `be ${typeNames[String(known["type"])] ?? "of another type"}` }];
    case "minLength":
      return [{ place: [], rule: "not be empty" }];
    case "maxLength":
      return [{ place: [], rule: `have at most ${limit} characters` }];
    case "anyOf":
      return [];
    default:
      return [{ place: [], rule: message.replace(/^must (NOT )?/, (_, not) => (not === undefined ? "" : "not ")) }];
  }
};

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** `telemetry[3].interval_seconds` of its parts; an empty path is the body itself. */
export const nameOf = (path: readonly string[], whole = "the body"): string =>
  path.length === 0
    ? whole
    : path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index === 0 ? "" : "."}${part}`)).join("");

/** `is 45`, `is missing`, `is a string`: enough to recognise the fault, never a whole body. */
const shown = (value: unknown, path: readonly string[]): string => {
  const at = path.reduce<unknown>(
    (node, part) => (node === null || typeof node !== "object" ? undefined : (node as Record<string, unknown>)[part]),
    value,
  );
  if (at === undefined) return "is missing";
  if (at === null || typeof at === "number" || typeof at === "boolean") return `is ${at}`;
  if (typeof at === "string") return at.length <= 40 ? `is ${JSON.stringify(at)}` : "is a long text";
  return Array.isArray(at) ? `is a list of ${at.length}` : "is an object";
};
