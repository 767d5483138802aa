import type { Site } from "@curtail/client";
import type { Series } from "@curtail/meter-data";
import { CommandFailure } from "../admin-io.js";
import { harmless } from "../human-form.js";

/** Which meters a file is for: one for all of its series, or one by the name of a series. */
export interface MetersOfSeries {
  readonly all: string | null;
  readonly bySeries: ReadonlyMap<string, string>;
}

/** Parses `--meter mtr_…` and `--meter SERIES=mtr_…`; a series' name may have an equals sign. */
export const meterChoice = (given: readonly string[]): MetersOfSeries => {
  const pairs = given.map((text) => ({ at: text.lastIndexOf("="), text }));
  const all = pairs.filter(({ at }) => at < 0).map(({ text }) => text);
  if (all.length > 1) throw new CommandFailure("name one --meter for the file, or SERIES=METER for each series");
  return {
    all: all[0] ?? null,
    bySeries: new Map(pairs.filter(({ at }) => at >= 0).map(({ at, text }) => [text.slice(0, at), text.slice(at + 1)])),
  };
};

/**
 * The id of the meter of each series: the chosen one, else the account's only meter of that id or name, else its only
 * meter. Throws a `CommandFailure` that lists every series without a meter.
 */
export const metersOf = (
  series: readonly Pick<Series, "name">[],
  sites: readonly Site[],
  choice: MetersOfSeries,
): readonly string[] => {
  const meters = sites.flatMap((site) => site.meters);
  const named = (name: string): string | null => {
    const found = meters.filter((meter) => meter.id === name || meter.name === name);
    return found.length === 1 ? (found[0]?.id ?? null) : null;
  };
  const only = meters.length === 1 && series.length === 1 ? (meters[0]?.id ?? null) : null;
  const found = series.map(({ name }) => {
    const chosen = choice.bySeries.get(name) ?? choice.all;
    return chosen === null ? (named(name) ?? only) : named(chosen);
  });
  const missing = series.filter((_, at) => found[at] === null).map(({ name }) => `"${harmless(name)}"`);
  if (missing.length === 0) return found.filter((each) => each !== null);
  throw new CommandFailure(
    `no meter of the account is clearly meant by ${missing.join(", ")}; name it with --meter METER-ID, or with --meter SERIES=METER-ID for each series`,
  );
};
