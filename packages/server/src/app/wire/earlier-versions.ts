import { datedVersions } from "@curtail/contract";
import { keyCallerOf } from "../../access/caller/caller.js";
import type { DatedIds } from "../../platform/dated-ids.js";
import type { ServedVersion } from "../../platform/http/dated-edge.js";
import type { Config } from "../../platform/runtime/config.js";
import { isFixedId } from "../../sandbox/operations/fixed-data.js";

/** The earlier versions of the participants' interface that the settings name. */
export const earlierOf = (
  { earlierVersions }: Pick<Config, "earlierVersions">,
  ids: DatedIds,
): readonly ServedVersion[] =>
  datedVersions
    .filter(({ date }) => earlierVersions?.some((each) => each === date) === true)
    .map((version) => ({ version, ids, keepsNumber }));

/** With the key that everybody has, anybody can have scenarios made up: only what is always there has numbers that stay. */
const keepsNumber: ServedVersion["keepsNumber"] = (request, id) =>
  keyCallerOf(request).isShared !== true || isFixedId(id);
