import {
  isSameZone,
  type KeptProfile,
  type ReadOptions,
  profiles as shipped,
  shippedProfile,
  type Table,
} from "@curtail/meter-data";
import { foldedName } from "../../platform/near-match.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import type { Site } from "../../portfolio/domain/site.js";
import { type NewProfile, namedLike, refuseProfile } from "./keep-mapping.js";
import { type MappingProfile, type MappingProfileStore, NO_PROFILE } from "./mapping-profile.js";

/** Layouts that come with the service. */
export const layouts = shipped.map(({ name, description }) => ({ name, description }));

/** What an import says about profiles. */
export interface ProfileChoice {
  /** The one to read the file by; null: the one with its header, unless a mapping is stated. */
  readonly name: string | null;
  /** What to keep the mapping as; null: nothing. */
  readonly saveAs: Pick<NewProfile, "name" | "replaces"> | null;
}

/** The profile that a file was read by. */
export interface PlannedProfile {
  /** null: a layout that ships. */
  readonly id: string | null;
  readonly name: string;
  readonly chosenBy: "header" | "name";
  readonly others: readonly string[];
}

/** The profiles of an account for one import. */
export interface ImportProfiles {
  readonly kept: readonly MappingProfile[];
  /** For the reader of the file. */
  readonly options: Pick<ReadOptions, "profile" | "kept">;
}

/** What the request says about the file. */
type Stated = Pick<ReadOptions, "mapping" | "timezone">;

/** Reads the profiles that an import may use; refuses a name that there is not, and one that the mapping cannot be kept under. */
export const profilesFor = async (
  store: MappingProfileStore,
  site: Site,
  { name, saveAs }: ProfileChoice,
  stated: Stated,
): Promise<Result<ImportProfiles>> => {
  const kept = await store.ofAccount(site.accountId);
  const options = optionsOf(kept, name, site, stated);
  if (isRefusal(options)) return options;
  // A name that is taken is refused before the file is read, whatever the mapping will be.
  const refusal = saveAs === null ? null : refuseProfile(kept, { ...saveAs, mapping: { layout: "rows" } });
  return refusal ?? { kept, options };
};

const optionsOf = (
  kept: readonly MappingProfile[],
  name: string | null,
  site: Pick<Site, "timezone">,
  { mapping, timezone }: Stated,
): Result<ImportProfiles["options"]> => {
  if (name === null) {
    if (mapping !== undefined) return {};
    const read = kept.map(toRead);
    return { kept: timezone === undefined ? read.map((each) => inZoneOf(site, each)) : read };
  }
  if (foldedName(name) === NO_PROFILE) return {};
  const found = namedLike(kept, name) ?? shippedProfile(name);
  return found === null ? refuseUnknown(kept, name) : { profile: toRead(found) };
};

const toRead = ({ name, header, mapping }: KeptProfile): KeptProfile => ({ name, header, mapping });

/** A header is the same at sites of all zones: that of another site is asked for, as without a profile. */
const inZoneOf = (site: Pick<Site, "timezone">, profile: KeptProfile): KeptProfile => {
  const { zone, ...time } = profile.mapping.time ?? {};
  return isOther(zone, site) ? { ...profile, mapping: { ...profile.mapping, time } } : profile;
};

const isOther = (zone: string | null | undefined, { timezone }: Pick<Site, "timezone">): zone is string =>
  zone !== undefined && zone !== null && !isSameZone(zone, timezone);

const MOST_NAMED = 10;

const refuseUnknown = (kept: readonly MappingProfile[], name: string): Refusal => {
  const names = kept.slice(0, MOST_NAMED).map((each) => `"${quote(each.name)}"`);
  const known = names.length === 0 ? "the account keeps none" : `the account keeps ${names.join(", ")}`;
  return invalid(
    `mapping_profile is "${quote(name)}"; ${known}. Name one of them or a layout that comes with the service, or ${NO_PROFILE} to have the columns guessed`,
  );
};

export const plannedProfile = (table: Table | null, kept: readonly MappingProfile[]): PlannedProfile | null => {
  if (table === null || table.profile === null) return null;
  const { name, chosenBy, others } = table.profile;
  return { id: kept.find((each) => each.name === name)?.id ?? null, name, chosenBy, others };
};

/** A profile of which the time zone is not the site's: it is read only where the request states it or names the profile. */
export const zoneNote = (
  table: Table | null,
  kept: readonly MappingProfile[],
  site: Pick<Site, "timezone">,
): string | null => {
  const used = table?.profile ?? null;
  if (table === null || used === null) return null;
  const zone = namedLike(kept, used.name)?.mapping.time?.zone;
  if (!isOther(zone, site)) return null;
  const name = quote(used.name);
  if (table.mapping.time.zone === zone)
    return `times are read in ${quote(zone)}, as the profile "${name}" says; the site is in ${site.timezone}`;
  return table.doubts.some(({ member }) => member === "time.zone")
    ? `the profile "${name}" has times in ${quote(zone)}, and the site is in ${site.timezone}; state the profile by its name to use its zone, or also the zone of this file with mapping ${JSON.stringify({ time: { zone: site.timezone } })}`
    : null;
};

/** The mapping that a file was read by, to be kept. */
export const profileOf = (table: Table | null, saveAs: Pick<NewProfile, "name" | "replaces">): Result<NewProfile> => {
  if (table === null) return invalid("save_profile is for CSV files: this file has no mapping to keep; leave it out");
  const { mapping, lasting, header } = table;
  // Without names, files are alike in nothing but the number of their columns.
  return { ...saveAs, mapping: lasting, header: mapping.header_lines === 0 ? null : header };
};
