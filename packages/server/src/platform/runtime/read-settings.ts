import type { TSchema } from "typebox";
import Type from "typebox";
import Value from "typebox/value";
import type { About } from "./setting-types.js";
import { type Settings, settings } from "./settings.js";

export type Variables = Readonly<Record<string, string | undefined>>;

type SettingSchema = TSchema & About<unknown> & { readonly fault?: string };

export const settingKeys = Object.keys(settings.properties) as Array<keyof Settings>;

const schemaOf = (key: keyof Settings): SettingSchema => settings.properties[key] as TSchema as SettingSchema;

/** Name of a setting in the environment. */
export const variableOf = (key: keyof Settings): string => schemaOf(key).variable;

/** Names of all settings in the environment. */
export const variables: ReadonlySet<string> = new Set(settingKeys.map(variableOf));

/** Reads some of the settings, and all that is wrong with them. */
export const readSettings = <Key extends keyof Settings>(
  environment: Variables,
  keys: readonly Key[],
): { readonly values: Pick<Settings, Key>; readonly faults: string[] } => {
  const faults: string[] = [];
  const values = keys.map((key) => [key, readSetting(environment, schemaOf(key), faults)] as const);
  return { values: Object.fromEntries(values) as Pick<Settings, Key>, faults };
};

/** The value of a setting; where it is unset or wrong, its default, or null if it has none. */
const readSetting = (environment: Variables, schema: SettingSchema, faults: string[]): unknown => {
  const text = environment[schema.variable];
  const given = text === undefined ? undefined : fromText(schema, text);
  const [error] = given === undefined ? [] : Value.Errors(schema, given);
  if (given !== undefined && error === undefined) return Value.Decode(schema, given);
  if (error !== undefined) {
    // Never repeat the value of a secret.
    faults.push(`${schema.variable} ${error.keyword === "~refine" ? error.params.message : schema.fault}`);
  }
  return "default" in schema ? Value.Decode(schema, schema.default) : null;
};

/** The value that a text stands for, in the type of the schema; a text that stands for none is left as it is. */
const fromText = (schema: TSchema, text: string): unknown => {
  if (Type.IsInteger(schema)) return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (Type.IsBoolean(schema)) return text === "true" || text === "false" ? text === "true" : text;
  return Type.IsArray(schema) ? partsOf(text) : text;
};

const partsOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
