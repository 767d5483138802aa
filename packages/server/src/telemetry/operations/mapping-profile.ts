import type { KeptProfile } from "@curtail/meter-data";
import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Page, PageRequest } from "../../platform/page.js";

/** The most that an account may keep. */
export const MAX_MAPPING_PROFILES = 50;

/** Of a mapping as JSON: 500 columns of values, and the rest. */
export const MAX_PROFILE_CHARACTERS = 65_536;

/** In place of the name of a profile: none is used. */
export const NO_PROFILE = "none";

/** How files of one layout are read, kept by an account under a name. */
export interface MappingProfile extends KeptProfile {
  readonly id: string;
  readonly accountId: string;
  readonly savedBy: Actor;
  readonly savedAt: Date;
}

/** A profile as the audit log has it. */
export interface AuditedProfile extends Omit<MappingProfile, "mapping"> {
  /** null: it is long. */
  readonly mapping: MappingProfile["mapping"] | null;
  /** Tells mappings apart. */
  readonly mappingDigest: string;
}

declare module "../../access/domain/audit.js" {
  interface Audited {
    mapping_profile: { action: `mapping_profile.${"create" | "change" | "delete"}`; state: AuditedProfile };
  }
}

export interface MappingProfileStore {
  insert(profile: MappingProfile): Promise<void>;
  /** `within` limits it to an account; null: any. */
  remove(id: string, within: string | null): Promise<MappingProfile | null>;
  /** In the order in which they were saved. */
  list(accountId: string, page: PageRequest): Promise<Page<MappingProfile>>;
  /** All of an account, newest first. */
  ofAccount(accountId: string): Promise<readonly MappingProfile[]>;
}

export type MappingProfileStores = Pick<AccessStores, "accounts" | "audit"> & {
  readonly mappingProfiles: MappingProfileStore;
};
