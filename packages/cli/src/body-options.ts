import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import type { TSchema } from "typebox";
import { moment } from "./option-values.js";

/** Source of a command's options: a schema of the contract, with overrides. */
export interface OptionSource {
  readonly schema: TSchema | undefined;
  /** Members offered; default: all. */
  readonly members?: readonly string[];
  /** Flags that are not named after their member. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Default values of members, as text. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** A change may omit everything, and can turn things off. */
  readonly isChange: boolean;
  readonly now: () => Date;
}

/** One member of a request, as command-line options. */
export interface Member {
  readonly name: string;
  readonly options: readonly Option[];
  /** The member's value from the options; undefined if not given. */
  read(given: Readonly<Record<string, unknown>>): unknown;
}

/** Derives the options of a command from the schema of its body or query. */
export const membersOf = (source: OptionSource): Member[] => {
  const { properties = {}, required = [] } = (source.schema ?? {}) as JsonSchema;
  return Object.entries(properties)
    .filter(([name]) => source.members === undefined || source.members.includes(name))
    .map(([name, schema]) => {
      const flag = source.flags?.[name] ?? shortFlags[name] ?? kebab(name);
      const isRequired = required.includes(name) && source.defaults?.[name] === undefined;
      return memberOf({ ...source, name, flag, isRequired, fallback: source.defaults?.[name] }, schema);
    });
};

/** The given members, as the body or query of a request. */
export const readMembers = (
  members: readonly Member[],
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    members.map((member) => [member.name, member.read(given)] as const).filter(([, value]) => value !== undefined),
  );

/** Schemas in the form of the OpenAPI document. */
interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly contentMediaType?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface Place {
  readonly name: string;
  readonly flag: string;
  readonly isRequired: boolean;
  readonly isChange: boolean;
  readonly fallback?: string | undefined;
  readonly now: () => Date;
}

const shortFlags: Readonly<Record<string, string>> = {
  program_id: "program",
  start_time: "start",
  end_time: "end",
  notification_time: "notify",
};

const kebab = (name: string): string => name.replaceAll("_", "-");

const memberOf = (place: Place, schema: JsonSchema): Member => {
  const { of, isNullable } = withoutNull(schema);
  if (of.type === "boolean") return switchMember(place, of);
  if (of.type === "array") {
    if (of.items?.type === "number") return numbersMember(place, of);
    const isOfWords = of.items?.type === "string" || of.items?.enum !== undefined;
    return isOfWords ? wordsMember(place, of) : entriesMember(place, of.items ?? {});
  }
  if (of.anyOf?.every((branch) => branch.type === "object") === true) return formsMember(place, schema);
  if (of.patternProperties !== undefined) return textsMember(place, of);
  if (isDocument(of)) return documentMember(place, of);
  if (of.type === "object") return groupMember(place, of, isNullable);
  const group = of.anyOf?.find((branch) => branch.type === "object");
  if (group !== undefined) return choiceOrGroupMember(place, of, group);
  return valueMember(place, schema);
};

const withoutNull = (schema: JsonSchema): { of: JsonSchema; isNullable: boolean } => {
  const branches = schema.anyOf ?? [schema];
  const others = branches.filter((branch) => branch.type !== "null");
  const of = others.length === 1 ? others[0] : undefined;
  return { of: of ?? { ...schema, anyOf: others }, isNullable: others.length < branches.length };
};

/** `--test`; in a change, and for members that default to true, also `--no-disabled`. */
const switchMember = ({ name, flag, isChange }: Place, schema: JsonSchema): Member => {
  const on = new Option(`--${flag}`, schema.description);
  const off = isChange || schema.default === true ? [new Option(`--no-${flag}`, "Disables it.")] : [];
  return { name, options: [on, ...off], read: (given) => given[on.attributeName()] };
};

/** Commander takes a bare null for "no value given" and turns it into "". */
interface Wrapped {
  readonly value: unknown;
}

/** `--expires-at <time>` */
const valueMember = (place: Place, schema: JsonSchema): Member => {
  const { parse, shown, hint } = reader(schema, place.now);
  const wrapped = (text: string): Wrapped => ({ value: parse(text) });
  const bracket = place.name.endsWith("_id") && shown === "text" ? kebab(place.name) : shown;
  const description = sentences(descriptionOf(schema), hint, place.isRequired ? "Required." : "");
  const option = new Option(`--${place.flag} <${bracket}>`, description)
    .argParser(wrapped)
    .makeOptionMandatory(place.isRequired);
  if (place.fallback !== undefined) option.default(wrapped(place.fallback), place.fallback);
  const read: Member["read"] = (given) => (given[option.attributeName()] as Wrapped | undefined)?.value;
  return { name: place.name, options: [option], read };
};

const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");

/** The contract's description of a member; for moments, the hint replaces the wire format. */
const descriptionOf = (schema: JsonSchema): string => {
  const { of } = withoutNull(schema);
  return of.format === "date-time" ? "" : (of.description ?? schema.description ?? "");
};

/** `--openadr-level <1|2>` and so on for the members of an object; `--no-openadr` for null. */
const groupMember = (place: Place, schema: JsonSchema, isNullable: boolean): Member => {
  const members = Object.entries(schema.properties ?? {}).map(([name, part]) =>
    memberOf({ ...place, name, flag: `${place.flag}-${kebab(name)}`, isRequired: false }, part),
  );
  const none = isNullable && place.isChange ? [new Option(`--no-${place.flag}`, "Clears the value.")] : [];
  return {
    name: place.name,
    options: [...members.flatMap((member) => member.options), ...none],
    read(given) {
      if (none.some((option) => given[option.attributeName()] === false)) return null;
      const object = readMembers(members, given);
      return Object.keys(object).length === 0 ? undefined : object;
    },
  };
};

/** An object with lists of objects: options for its members would be a riddle. */
const isDocument = ({ type, properties = {} }: JsonSchema): boolean =>
  type === "object" && Object.values(properties).some(({ items }) => items?.type === "object");

/** `--mapping <json>` */
const documentMember = ({ name, flag, isRequired }: Place, schema: JsonSchema): Member => {
  const option = new Option(`--${flag} <json>`, sentences(schema.description ?? "", "As JSON."))
    .argParser((text: string): Wrapped => ({ value: json(text) }))
    .makeOptionMandatory(isRequired);
  return { name, options: [option], read: (given) => (given[option.attributeName()] as Wrapped | undefined)?.value };
};

/** `--transport <pull>`, or `--transport-push-url <text>` and so on for the members of the alternative object. */
const choiceOrGroupMember = (place: Place, schema: JsonSchema, group: JsonSchema): Member => {
  const choices = (schema.anyOf ?? []).filter((branch) => branch !== group);
  const choice = valueMember(place, { ...schema, anyOf: choices });
  const members = groupMember({ ...place, isChange: false }, group, false);
  return {
    name: place.name,
    options: [...choice.options, ...members.options],
    read: (given) => members.read(given) ?? choice.read(given),
  };
};

/** `--holiday <text>`, repeated: a list of texts, or of words to choose from. */
const wordsMember = ({ name, flag }: Place, schema: JsonSchema): Member => {
  const choices = schema.items?.enum?.join(", ");
  const hint = choices === undefined ? "" : `One of ${choices}.`;
  const description = sentences(descriptionOf(schema), hint, "May be repeated.");
  // One of several series is a series.
  const option = new Option(`--${flag.replace(/(?<!ie)s$/, "")} <text>`, description).argParser(appended);
  return { name, options: [option], read: (given) => given[option.attributeName()] };
};

const appended = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** `--metadata <name=text>`, repeated: an object of texts. */
const textsMember = ({ name, flag }: Place, schema: JsonSchema): Member => {
  const description = sentences(descriptionOf(schema), "May be repeated.");
  const option = new Option(`--${flag} <name=text>`, description).argParser(withText);
  return { name, options: [option], read: (given) => given[option.attributeName()] };
};

const withText = (text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be a name, =, and a text.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
};

/** `--values <0.21,0.19>`: numbers in their order. */
const numbersMember = ({ name, flag }: Place, schema: JsonSchema): Member => {
  const description = sentences(descriptionOf(schema), "Numbers separated by commas.");
  const option = new Option(`--${flag} <numbers>`, description).argParser(toNumbers);
  return { name, options: [option], read: (given) => given[option.attributeName()] };
};

/**
 * `--baseline <preset>`: an object in one of several forms; a word is the first member of the first form, JSON any
 * form.
 */
const formsMember = ({ name, flag }: Place, schema: JsonSchema): Member => {
  const { of, isNullable } = withoutNull(schema);
  const [word = ""] = Object.keys(of.anyOf?.[0]?.properties ?? {});
  const parse = (text: string): Wrapped => ({ value: text.startsWith("{") ? json(text) : { [word]: text } });
  const parseOrNull = (text: string): Wrapped => (isNullable && text === "none" ? { value: null } : parse(text));
  const description = sentences(of.description ?? "", "A word, or JSON.", isNullable ? '"none" for null.' : "");
  const option = new Option(`--${flag} <${word}>`, description).argParser(parseOrNull);
  return { name, options: [option], read: (given) => (given[option.attributeName()] as Wrapped | undefined)?.value };
};

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It is not valid JSON; check its quotes and brackets.");
  }
};

/** `--site <ID[=KW]>`, repeated: a list of objects with one member and an optional second. */
const entriesMember = ({ name, flag, now }: Place, item: JsonSchema): Member => {
  const [first, second] = Object.entries(item.properties ?? {});
  if (first === undefined || second === undefined)
    throw new Error(`${name} is not a list of pairs; add an option for it`);
  const key = reader(first[1], now);
  const value = reader(second[1], now);
  const parse = (text: string, before: readonly unknown[] = []) => {
    const at = text.lastIndexOf("=");
    const pair =
      at < 0
        ? { [first[0]]: key.parse(text) }
        : { [first[0]]: key.parse(text.slice(0, at)), [second[0]]: value.parse(text.slice(at + 1)) };
    return [...before, pair];
  };
  const shown = `${first[0]}[=${second[0]}]`;
  const description = sentences(descriptionOf(second[1]), value.hint, "May be repeated.");
  const option = new Option(`--${flag.replace(/s$/, "")} <${shown}>`, description).argParser(parse);
  return { name, options: [option], read: (given) => given[option.attributeName()] };
};

interface Reader {
  readonly parse: (text: string) => unknown;
  /** The text between the angle brackets. */
  readonly shown: string;
  readonly hint: string;
}

const reader = (schema: JsonSchema, now: () => Date): Reader => {
  const { of, isNullable } = withoutNull(schema);
  const found = valueReader(of, now);
  if (!isNullable) return found;
  const parse = (text: string) => (text === "none" ? null : found.parse(text));
  return { ...found, parse, hint: sentences(found.hint, '"none" for null.') };
};

const valueReader = (schema: JsonSchema, now: () => Date): Reader => {
  if (schema.anyOf?.some((branch) => branch.type === "array")) return listReader(schema.anyOf);
  if (schema.contentMediaType !== undefined) return { parse: textOfFile, shown: "file", hint: "" };
  const choices = schema.enum ?? schema.anyOf?.map((branch) => branch.const);
  if (choices !== undefined) return { parse: oneOf(choices), shown: "choice", hint: `(${choices.join(", ")})` };
  if (schema.type === "number" || schema.type === "integer") return { parse: toNumber, shown: "number", hint: "" };
  if (schema.format === "date-time") return { parse: moment(now), shown: "time", hint: "now, +10m, -5m, or RFC 3339." };
  return { parse: (text) => text, shown: "text", hint: "" };
};

/** `all`, or `site_1,site_2`. */
const listReader = (branches: readonly JsonSchema[]): Reader => {
  const words = branches.filter((branch) => branch.const !== undefined).map((branch) => String(branch.const));
  const parse = (text: string) => (words.includes(text) ? text : text.split(",").map((part) => part.trim()));
  return { parse, shown: "ids", hint: `(${words.join(", ")}, or ids separated by commas)` };
};

const textOfFile = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new InvalidArgumentError("It must be a readable file.");
  }
};

const oneOf = (choices: readonly unknown[]) => (text: string) => {
  const found = choices.find((choice) => String(choice) === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.`);
  return found;
};

const toNumbers = (text: string): number[] => text.split(",").map(toNumber);

const toNumber = (text: string): number => {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) throw new InvalidArgumentError("It must be a number.");
  return number;
};
