import type { operator } from "@curtail/contract";
import type { meterDataQuery } from "../../rules/meter-data-draft.js";

type Query = ReturnType<typeof meterDataQuery> & { readonly dry_run: boolean };

/** A site, and how a side imports its meter data. */
export interface MeterDataScope {
  readonly meters: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly timezone: string;
  readonly send: (file: File, query: Query) => Promise<operator.MeterDataResult>;
}
