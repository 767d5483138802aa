import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import Format from "typebox/format";
import { Settings } from "typebox/system";
import { onceFor } from "../once.js";
import { quote } from "../quote.js";
import { HttpError } from "./error-replies.js";
import { type LongList, longLists, longListsOf, shortened } from "./long-lists.js";
import { meets } from "./null-members.js";
import { meantFaults } from "./tagged-unions.js";

// `format` is documentation only; the domain parses timestamps, with its own message.
Format.Clear();

const MAX_SHOWN = 20;
const MAX_SHOWN_CHARACTERS = 3000;
// Enough for 20 places (G6), each of which a union reports several times; the check stops there.
const MAX_FAULTS = 200;
Settings.Set({ maxErrors: MAX_FAULTS });

interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** Compiled when it is first needed: a start needs none of hundreds, and the sandbox shares those of production. */
const checkOf = onceFor((schema: TSchema) => ({ compiled: Compile(schema), lists: longListsOf(schema) }));

/** Checks a request against its contract; coerces nothing and ignores unknown members (G5). */
export const compileSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const whole = httpPart === "body" ? "the body" : "the query";
  return (value: unknown) => {
    const { compiled, lists } = checkOf(schema);
    if (meets(compiled, schema, value)) return { value };
    const faults = new Faults(whole);
    const tooLong = longLists(schema, value);
    if (tooLong.length > 0) faults.addLong(tooLong, value);
    else {
      const { body, placeOf } = shortened(lists, value);
      const meant = meantFaults(schema, body, compiled.Errors(body));
      const found = meant.map((fault) => ({ ...fault, instancePath: placeOf(fault.instancePath) }));
      faults.add(found, value);
    }
    return { error: faults.error() };
  };
};

/** The faults of a request: the first 20, as `telemetry[3].interval_seconds is 45; it must be divisible by 30` (G6). */
export class Faults {
  private readonly messages = new Map<string, string>();
  private readonly known = new Set<string>();
  private readonly unnamed = new Set<string>();
  private characters = 0;
  private count = 0;

  constructor(private readonly whole = "the body") {}

  get isEmpty(): boolean {
    return this.messages.size === 0;
  }

  get isFull(): boolean {
    return this.count >= MAX_FAULTS;
  }

  /** Adds the faults of a value at a path of the body. */
  add(faults: readonly SchemaFault[], value: unknown, within: readonly string[] = []): void {
    this.count += faults.length;
    for (const fault of faults) {
      const at = pathOf(fault.instancePath);
      for (const { place, rule } of rulesOf(fault)) {
        const path = [...at, ...place];
        this.addOne(nameOf([...within, ...path], this.whole), shown(value, path), rule);
      }
    }
  }

  addLong(lists: readonly LongList[], value: unknown): void {
    for (const { path, most } of lists) {
      this.addOne(nameOf(path, this.whole), shown(value, path), `have at most ${most} elements`);
    }
  }

  error(): HttpError {
    const atLeast = this.isFull ? "at least " : "";
    const more = this.unnamed.size > 0 ? `; and ${atLeast}${this.unnamed.size} more` : "";
    return new HttpError(400, [...this.messages.values()].join("; ") + more);
  }

  private addOne(name: string, is: string, rule: string): void {
    // Alternatives of a union may have the same rule.
    if (this.known.has(`${name} ${rule}`)) return;
    const before = this.messages.get(name);
    const hasRoom = this.messages.size < MAX_SHOWN && this.characters < MAX_SHOWN_CHARACTERS;
    if (before === undefined && !hasRoom) {
      this.unnamed.add(name);
      return;
    }
    this.known.add(`${name} ${rule}`);
    // A union reports each of its branches, which are alternatives.
    const message = before === undefined ? `${name} ${is}; it must ${rule}` : `${before} or ${rule}`;
    this.characters += message.length - (before?.length ?? 0);
    this.messages.set(name, message);
  }
}

/** Path of a JSON pointer, which escapes / and ~. */
const pathOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

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

/** Joins a path as `telemetry[3].interval_seconds`; an empty path is the body itself. */
export const nameOf = (path: readonly string[], whole = "the body"): string =>
  path.length === 0
    ? whole
    : path
        .map((part, index) => (/^\d{1,9}$/.test(part) ? `[${part}]` : `${index === 0 ? "" : "."}${quote(part)}`))
        .join("");

/** `is 45`, `is missing`, `is a string`: enough to recognise the fault, never a whole body. */
const shown = (value: unknown, path: readonly string[]): string => {
  const at = path.reduce<unknown>(
    (node, part) => (node === null || typeof node !== "object" ? undefined : (node as Record<string, unknown>)[part]),
    value,
  );
  if (at === undefined) return "is missing";
  if (at === null || typeof at === "number" || typeof at === "boolean") return `is ${at}`;
  // A long text may be a secret in the wrong place; a short one is quoted to show the fault.
  if (typeof at === "string") return quote(at).length < at.length ? "is a long text" : `is "${quote(at)}"`;
  return Array.isArray(at) ? `is a list of ${at.length}` : "is an object";
};
