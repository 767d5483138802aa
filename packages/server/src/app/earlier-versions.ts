import { datedVersions } from "@curtail/contract";
import type { DatedIds } from "../platform/dated-ids.js";
import type { ServedVersion } from "../platform/http/dated-edge.js";
import type { Config } from "../platform/runtime/config.js";

/** The earlier versions of the participants' interface that the settings name. */
export const earlierOf = (
  { earlierVersions }: Pick<Config, "earlierVersions">,
  ids: DatedIds,
): readonly ServedVersion[] =>
  datedVersions
    .filter(({ date }) => earlierVersions?.some((each) => each === date) === true)
    .map((version) => ({ version, ids }));
