import { notFound, type Result } from "../../platform/refusal.js";
import type { FinalVersion } from "../domain/version.js";
import { type DispatchReport, reportOf } from "./measure-dispatch.js";
import type { MeasurementPorts, SiteFilter } from "./measurement-ports.js";

/** A version of the final result, and the sites to return. */
export interface Kept {
  readonly id: string;
  readonly filter: SiteFilter;
  readonly kept: FinalVersion;
  readonly versions: readonly FinalVersion[];
}

/** A version with the sites that were read of it. */
export const finalReport = async <Site extends DispatchReport["sites"][number]>(
  { reader }: Pick<MeasurementPorts, "reader">,
  { id, filter, kept, versions }: Kept,
  sites: readonly Site[],
): Promise<Result<DispatchReport<Site>>> => {
  const dispatch = await reader.findDispatch(id, filter);
  if (dispatch === null) return notFound("dispatch");
  return reportOf(dispatch, sites, { asOfMs: kept.at.getTime(), version: kept.version, versions });
};
