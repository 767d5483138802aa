import type { DatedVersion } from "./dated-version.js";
import { v20201230 } from "./v2020-12-30/version.js";

/** Earlier versions of the participants' interface that the service can serve with the current one, newest first. */
export const datedVersions: readonly DatedVersion[] = [v20201230];
