import { type PersonalNoticesPorts, personalNotices } from "../notification/followers/personal-notices.js";
import { messagesToPhones, type PhoneMessagesPorts } from "../notification/followers/phone-messages.js";
import { venPushes } from "../openadr/followers/ven-pushes.js";
import { openadr3Callbacks } from "../openadr-3/followers/openadr3-callbacks.js";
import { openadr3Projection, type ProjectionPorts } from "../openadr-3/followers/openadr3-projection.js";
import { OUTSIDE_BROKER } from "../openadr-3/operations/broker-conditions.js";
import type { Follower, FollowerDescription } from "../platform/follower.js";
import type { Config } from "../platform/runtime/config.js";
import { settlement } from "../settlement/followers/settlement.js";
import type { Stores } from "./stores.js";

/** Everything that follows changes with a cursor that moves in the transaction of its effect. A migration makes the cursor, and removes it again. */
export const followersOver = (
  ports: ProjectionPorts & PersonalNoticesPorts & PhoneMessagesPorts,
): ReadonlyArray<Follower<Stores>> => [
  openadr3Projection(ports),
  openadr3Callbacks(ports),
  personalNotices(ports),
  messagesToPhones(ports),
  settlement,
  venPushes(ports),
];

/** Cursors that are leased, as their effect is outside of the database. Without an outside broker nothing waits for it. */
export const leasedCursors = ({
  openadr3MqttUrl: url,
}: Pick<Config, "openadr3MqttUrl">): readonly FollowerDescription[] => [
  {
    name: OUTSIDE_BROKER,
    stream: "openadr3_changes",
    kinds: url === null ? [] : ["openadr3.change"],
    behindAfterSeconds: null,
  },
];
