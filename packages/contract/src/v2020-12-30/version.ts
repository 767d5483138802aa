import type { DatedVersion } from "../dated-version.js";
import { specified } from "../v2022-04-15/endpoints.js";

/** The version before the current one, as far as the specification states it ("Versioning", 4 and 5). */
export const v20201230: DatedVersion = {
  date: "2020-12-30",
  words: { site: "facility", sites: "facilities" },
  // What extends the specification came later.
  endpoints: specified,
};
