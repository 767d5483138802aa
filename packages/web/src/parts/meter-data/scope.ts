import type { MappingProfile, operator } from "@curtail/contract";
import type { meterDataQuery } from "../../rules/meter-data-draft.js";
import type { Listed } from "../../ui/listed.js";

type Query = ReturnType<typeof meterDataQuery> & { readonly dry_run: boolean };

/** The mappings that the account of a site keeps, and the layouts that come with the service. */
export interface ProfileScope {
  readonly kept: Listed<MappingProfile>;
  readonly layouts: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly save: (profile: NewProfile) => Promise<MappingProfile>;
  readonly remove: (id: string) => Promise<unknown>;
}

type NewProfile = Pick<MappingProfile, "name" | "header" | "mapping"> & { readonly replace?: boolean };

/** A site, and how a side imports its meter data. */
export interface MeterDataScope {
  readonly meters: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly timezone: string;
  readonly profiles: ProfileScope;
  readonly send: (file: File, query: Query) => Promise<operator.MeterDataResult>;
}
