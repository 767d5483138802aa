import type { Reporting } from "../../telemetry/operations/site-load.js";
import type { SiteToMeasure } from "./measurement-ports.js";
import type { SiteMeters } from "./site-summary.js";

/** Which meters were summed, and why the others were not (M1, M2). */
export const metersOf = (
  { meters, otherMeters }: Pick<SiteToMeasure, "meters" | "otherMeters">,
  counted: Reporting,
  reporting: Reporting,
): SiteMeters => ({
  summed: meters.filter(({ meter }) => counted.has(meter)).map(({ id, name }) => ({ id, name })),
  leftOut: [
    ...otherMeters,
    ...meters
      .filter(({ meter }) => !counted.has(meter))
      .map(({ id, name, meter }) => ({
        id,
        name,
        reason: reporting.has(meter) ? ("younger_than_look_back" as const) : ("silent" as const),
      })),
  ],
});
