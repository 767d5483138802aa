import type { BodyOf, saveMappingProfile, MappingProfile as WireProfile } from "@curtail/contract";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { NewProfile } from "../operations/keep-mapping.js";
import type { MappingProfile } from "../operations/mapping-profile.js";
import { refuseUnknown } from "./mapping-text.js";

export const profileToWire = ({ id, name, header, mapping, savedBy, savedAt }: MappingProfile): WireProfile => ({
  id,
  name,
  header,
  mapping: mapping as WireProfile["mapping"],
  saved_by: savedBy,
  saved_at: formatTimestamp(savedAt),
});

/** A misspelt member would be guessed in silence, so unknown ones are refused. */
export const newProfileOf = ({
  name,
  header = null,
  mapping,
  replace = false,
}: BodyOf<typeof saveMappingProfile>): Result<NewProfile> =>
  refuseUnknown(mapping) ?? { name, header, mapping, replaces: replace };

export const savedToWire = (saved: Result<MappingProfile>): Result<WireProfile> =>
  isRefusal(saved) ? saved : profileToWire(saved);
