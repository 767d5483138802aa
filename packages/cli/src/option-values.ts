import { InvalidArgumentError, Option } from "commander";
import { MOMENT_FORMS, parseDuration, parseMoment } from "./moment.js";

/** Milliseconds of a length of time. */
export const duration = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError("It must be a duration such as 90s, 2h or 1h30m.");
  return ms;
};

/** A moment in RFC 3339. */
export const moment =
  (now: () => Date) =>
  (text: string): string => {
    const found = parseMoment(text, now());
    if (found === null) throw new InvalidArgumentError(`It must be ${MOMENT_FORMS}.`);
    return found;
  };

/** An option whose default is shown as a person writes it. */
export const optionWith = (
  flags: string,
  {
    description,
    parse,
    standard,
  }: { readonly description: string; readonly parse: (text: string) => unknown; readonly standard: string },
): Option => new Option(flags, description).argParser(parse).default(parse(standard), standard);

/** 300 polls a minute and key are allowed. */
const SHORTEST_POLL_MS = 1000;

/** Milliseconds between two polls. */
export const pollInterval = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms < SHORTEST_POLL_MS)
    throw new InvalidArgumentError("It must be a duration from 1s, such as 30s.");
  return ms;
};
