import type { MeterKey } from "@curtail/measure";
import { quote } from "../../platform/quote.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { ReadingSource } from "../../telemetry/domain/reading.js";
import type { AdmittedReadings } from "../../telemetry/operations/readings-by-kind.js";
import type { ControllableLoadArchive } from "../../telemetry/operations/record-controllable-load.js";
import type { ChargeMeters, MeterDirectory, UnresolvedSource } from "../../telemetry/operations/record-telemetry.js";

type MeteredSite = Pick<Site, "id" | "meters">;

/** Every site of the sandbox has one meter, so a site's index in the list identifies both. */
export const meterKeyOf = (index: number): MeterKey => ({ site: index, meter: index });

/** A meter that nobody has: its readings are checked and forgotten. */
const nobodys: MeterKey = { site: -1, meter: 0 };
/** A meter of production, whose readings are, too: its number is below 0, so that it is none of the sandbox. */
const ofProduction = ({ meter }: MeterKey): MeterKey => ({ site: -1, meter: -meter });

/** The account's meters in production. */
export interface OwnMeters {
  readonly meters: MeterDirectory;
  readonly chargeMeters: ChargeMeters;
}

/** Where the ids of an upload to the sandbox are looked up. */
export interface NamedSites {
  /** Name of the list in the body. */
  readonly list: "telemetry" | "controllable_load";
  readonly sites: readonly MeteredSite[];
  /** null for the public key. */
  readonly own: OwnMeters | null;
}

/** A directory for one upload, and what it warned of. */
export interface CheckedUpload {
  readonly meters: MeterDirectory;
  readonly chargeMeters: ChargeMeters;
  readonly archive: ControllableLoadArchive;
  readonly warnings: readonly string[];
  /** Warns of readings in kWh that are kept as a state of charge. */
  warnOfCharges(admitted: AdmittedReadings): void;
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
    const owned = own === null || others.length === 0 ? [] : await own.meters.resolve(accountId, others);
    const ofOthers = new Map(others.map((source, index) => [source, owned[index] ?? "unknown"]));
    return sources.map((source, index) => {
      const at = found[index] ?? -1;
      return at < 0 ? keyOf(source, ofOthers.get(source) ?? "unknown") : meterKeyOf(at);
    });
  };
  /** Readings of an own site are refused where production refuses them: it has no meter, or several. */
  const keyOf = (source: ReadingSource, found: MeterKey | UnresolvedSource): MeterKey | UnresolvedSource => {
    if (found !== "unknown") return typeof found === "string" ? found : ofProduction(found);
    warn(warningOf(source));
    return nobodys;
  };
  const warn = (text: string): void => {
    if (warnings.length < MAX_WARNINGS) warnings.push(`${list}${text}`);
  };
  return {
    meters: { resolve },
    chargeMeters: { among: (caller, meters) => chargingOf(own, caller, meters) },
    archive: checkingArchive(resolve),
    warnings,
    warnOfCharges: (admitted) => chargeWarnings(admitted).forEach(warn),
  };
};

/** Only meters of production send a state of charge. */
const chargingOf: (own: OwnMeters | null, ...asked: Parameters<ChargeMeters["among"]>) => Promise<ReadonlySet<number>> =
  async (own, caller, meters) => {
    const numbers = meters.filter((meter) => meter < 0).map((meter) => -meter);
    if (own === null || numbers.length === 0) return new Set();
    const charging = await own.chargeMeters.among(caller, numbers);
    return new Set([...charging].map((meter) => -meter));
  };

/** One for each meter or site, with its first reading. */
const chargeWarnings = ({ readings, charged }: AdmittedReadings): string[] =>
  [...charged].map((wanted) => {
    const at = readings.source.findIndex(
      (source, index) => source === wanted && !Number.isNaN(readings.energyKwh?.[index]),
    );
    const { kind = "meter", id = "" } = readings.sources[wanted] ?? {};
    return `[${at}] is in kWh, and ${kind} "${quote(id)}" is ${kind === "site" ? "that of a battery" : "a battery"}: production keeps its kWh as state of charge, not as energy; send its power in kW`;
  });

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
