import { type PersonalNoticesPorts, personalNotices } from "../notification/followers/personal-notices.js";
import { messagesToPhones, type PhoneMessagesPorts } from "../notification/followers/phone-messages.js";
import { openadr3Projection, type ProjectionPorts } from "../openadr-3/followers/openadr3-projection.js";
import type { Follower } from "../platform/follower.js";
import { settlement } from "../settlement/followers/settlement.js";
import type { Stores } from "./stores.js";

/** Everything that follows the journal with a cursor of its own. A migration makes the cursor, and removes it again. */
export const followersOver = (
  ports: ProjectionPorts & PersonalNoticesPorts & PhoneMessagesPorts,
): ReadonlyArray<Follower<Stores>> => [
  openadr3Projection(ports),
  personalNotices(ports),
  messagesToPhones(ports),
  settlement,
];
