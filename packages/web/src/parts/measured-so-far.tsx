import { say } from "@curtail/words/page";
import { count } from "../format/quantity.js";
import type { Preparing } from "../live/use-performance.js";

/** Says that the figures are those of some sites, while the service loads the readings of the others. */
export const MeasuredSoFar = ({ of: { measured_sites, sites } }: { readonly of: Preparing }) => (
  <p role="status" className="rounded-lg bg-info-soft px-4 py-2.5 text-info">
    {say(
      "Measured for {n} of {sites, plural, one {# site} other {# sites}} so far. The readings of the others are being loaded.",
      { n: count(measured_sites), sites },
    )}
  </p>
);
