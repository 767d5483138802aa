import { quote } from "../../platform/quote.js";
import { invalid, Refusal } from "../../platform/refusal.js";

export const assetTypes = ["load", "generator", "battery", "poi"] as const;
export type AssetType = (typeof assetTypes)[number];

/** What kWh in uploads of a meter mean (G59). `undecided` counts as energy until an operator decides. */
export type KwhMeans = "energy" | "charge" | "undecided";

export interface Meter {
  readonly id: string;
  readonly name: string;
  readonly assetType: AssetType;
  readonly kwhMeans: KwhMeans;
}

/** A single physical location that can be curtailed. */
export interface Site {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly customerLocationId: string;
  readonly dispatchGroup: string;
  readonly timezone: string;
  /** Degrees (WGS 84); both are null for a site that is on no map. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly createdAt: Date;
  /** Since when its data is visible on pages; null: not visible. */
  readonly displayedSince: Date | null;
  /** Ids of the meters whose sum is its load; null: its points of interconnection or, without any, all (M1). */
  readonly measuredMeters: readonly string[] | null;
  /** Of a simulated account: it counts in no total, report or statement. */
  readonly isSimulated: boolean;
  readonly meters: readonly Meter[];
}

/** Refuses a state of charge of what is no battery. */
export const refuseKwhMeans = ({ assetType, kwhMeans }: Pick<Meter, "assetType" | "kwhMeans">): Refusal | null =>
  kwhMeans === "energy" || assetType === "battery"
    ? null
    : invalid(`kwh_means is ${kwhMeans}, which only a battery has; leave it out, or give asset_type battery`);

/** What kWh of a new meter mean. */
export const kwhMeansOfNew = (assetType: AssetType): KwhMeans => (assetType === "battery" ? "charge" : "energy");

/**
 * What kWh of a meter mean after its asset type changed: its earlier kWh were energy, so what a battery's are is asked.
 *
 * @param hasReadings whether readings of the meter are stored
 */
export const kwhMeansAfter = (before: Meter, assetType: AssetType, hasReadings: boolean): KwhMeans => {
  if (assetType === before.assetType) return before.kwhMeans;
  return assetType === "battery" && hasReadings ? "undecided" : kwhMeansOfNew(assetType);
};

/** A millionth of a degree is at most 11 cm. */
const PLACES = 1e6;
export const keptDegrees = (degrees: number): number => Math.round(degrees * PLACES) / PLACES;

/** Refuses half of a place. */
export const refuseCoordinates = ({ latitude, longitude }: Pick<Site, "latitude" | "longitude">): Refusal | null => {
  if ((latitude === null) === (longitude === null)) return null;
  const [given, other] = latitude === null ? ["longitude", "latitude"] : ["latitude", "longitude"];
  return invalid(`give ${other} with ${given}, or null for both: one of them is no place on the map`);
};

/** Refuses to measure a site by meters of another one. */
export const refuseMeasuredMeters = ({ measuredMeters, meters }: Site): Refusal | null => {
  const unknown = measuredMeters?.find((id) => !meters.some((meter) => meter.id === id));
  if (unknown === undefined) return null;
  return invalid(`measured_meters names ${quote(unknown)}, which is not a meter of this site; name its own meters`);
};

/** Since when a site is visible after a request at `now`; enabling it twice keeps the first time. */
export const displayedSince = (site: Site, displayed: boolean | undefined, at: Date): Date | null => {
  if (displayed === undefined) return site.displayedSince;
  return displayed ? (site.displayedSince ?? at) : null;
};

/** The site belongs to the caller, so the message may say what is missing. */
export const notDisplayed = (): Refusal =>
  new Refusal("not_found", "The data of this site is not visible until the operator enables it; ask the operator.");

type AuditedMeter = Meter & ({ readonly siteId: string } | { readonly accountId: string });

declare module "../../access/domain/audit.js" {
  interface Audited {
    site: { action: "site.create" | "site.change"; state: Site };
    meter: { action: "meter.create" | "meter.change"; state: AuditedMeter };
  }
}
