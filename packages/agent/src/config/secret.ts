import type { ConfigValue } from "./config-value.js";

/** What reading a configuration needs from outside. */
export interface ConfigEdge {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The text of a file; relative to the folder of the configuration. */
  readText(path: string): string;
  /** Files and variables that hold secrets are not looked for: nothing will be connected. */
  readonly isWithoutSecrets?: boolean;
}

/** Whether a text is an API key as a header may carry it: one line, without spaces. */
export const isApiKey = (text: string): boolean => /^[\x21-\x7e]{1,1000}$/.test(text);

/** A secret given by itself, by a file, or by an environment variable; null with none of them. */
export const readSecret = (given: ConfigValue, fromFile: ConfigValue, fromEnv: ConfigValue, edge: ConfigEdge) => {
  const present = [given, fromFile, fromEnv].filter((value) => !value.isMissing);
  if (present.length > 1) present[1]?.fault(`is set together with ${present[0]?.path}; keep one of them`);
  if (!given.isMissing) return given.text();
  if (!fromFile.isMissing) return readFile(fromFile, edge);
  return fromEnv.or(null, (value) => fromEnvironment(value, edge));
};

/** The text of a file that the value names. */
export const readFile = (value: ConfigValue, edge: ConfigEdge): string => {
  const path = value.text("the path of a file");
  if (path === "" || edge.isWithoutSecrets === true) return "";
  try {
    return edge.readText(path).trim();
  } catch (error) {
    value.fault(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return "";
  }
};

const fromEnvironment = (value: ConfigValue, { environment, isWithoutSecrets }: ConfigEdge): string => {
  const name = value.text("the name of an environment variable");
  if (isWithoutSecrets === true) return "";
  const secret = environment[name] ?? "";
  if (name !== "" && secret === "") value.fault(`the environment variable ${name} is not set`);
  return secret;
};
