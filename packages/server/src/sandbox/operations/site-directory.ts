import type { MeterKey } from "@curtail/measure";
import { quote } from "../../platform/quote.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { ReadingSource } from "../../telemetry/domain/reading.js";
import type { ControllableLoadArchive } from "../../telemetry/operations/record-controllable-load.js";
import type { MeterDirectory, UnresolvedSource } from "../../telemetry/operations/record-telemetry.js";

type MeteredSite = Pick<Site, "id" | "meters">;

/** Every site of the sandbox has one meter, so a site's index in the list identifies both. */
export const meterKeyOf = (index: number): MeterKey => ({ site: index, meter: index });

/** A meter of production, or one that nobody has: its readings are checked and forgotten. */
const elsewhere: MeterKey = { site: -1, meter: -1 };

/** Where the ids of an upload to the sandbox are looked up. */
export interface NamedSites {
  /** Name of the list in the body. */
  readonly list: "telemetry" | "controllable_load";
  readonly sites: readonly MeteredSite[];
  /** The account's meters in production; null for the public key. */
  readonly own: MeterDirectory | null;
}

/** A directory for one upload, and what it warned of. */
export interface CheckedUpload {
  readonly meters: MeterDirectory;
  readonly archive: ControllableLoadArchive;
  readonly warnings: readonly string[];
}

const MAX_WARNINGS = 20;

/**
 * Checks the form of an upload, as the sandbox does: an id that neither the sandbox nor the account has is accepted,
 * and named in a warning (G67).
 */
export const checkedUpload = ({ list, sites, own }: NamedSites): CheckedUpload => {
  const warnings: string[] = [];
  const resolve: MeterDirectory["resolve"] = async (accountId, sources) => {
    const found = sources.map((source) => indexOf(sites, source));
    const others = sources.filter((_source, index) => (found[index] ?? -1) < 0);
    const owned = own === null || others.length === 0 ? [] : await own.resolve(accountId, others);
    const ofOthers = new Map(others.map((source, index) => [source, owned[index] ?? "unknown"]));
    return sources.map((source, index) => {
      const at = found[index] ?? -1;
      return at < 0 ? keyOf(source, ofOthers.get(source) ?? "unknown") : meterKeyOf(at);
    });
  };
  /** Readings of an own site are refused where production refuses them: it has no meter, or several. */
  const keyOf = (source: ReadingSource, found: MeterKey | UnresolvedSource): MeterKey | UnresolvedSource => {
    if (found !== "unknown") return typeof found === "string" ? found : elsewhere;
    if (warnings.length < MAX_WARNINGS) warnings.push(`${list}${warningOf(source)}`);
    return elsewhere;
  };
  return { meters: { resolve }, archive: checkingArchive(resolve), warnings };
};

const indexOf = (sites: readonly MeteredSite[], { kind, id }: ReadingSource): number =>
  sites.findIndex((site) => (kind === "site" ? site.id === id : site.meters.some((meter) => meter.id === id)));

const warningOf = ({ kind, id, at }: ReadingSource): string =>
  `[${at}].${kind}_id is "${quote(id)}", which is no ${kind} of the sandbox or of this account; production would refuse the upload`;

/** Checks the sites of a controllable load upload; stores nothing. */
const checkingArchive = (resolve: MeterDirectory["resolve"]): ControllableLoadArchive => ({
  async write(accountId, readings) {
    const first = new Map<string, ReadingSource>();
    for (const [at, { siteId: id }] of readings.entries()) if (!first.has(id)) first.set(id, { kind: "site", id, at });
    await resolve(accountId, [...first.values()]);
    return null;
  },
});
