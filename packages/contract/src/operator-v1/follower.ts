import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { integer, moment, nullable, string } from "../values.js";

const name = string("Name of the follower.", "openadr3-projection");

/** A change that was not followed, the first of its subject. */
const FollowerFault = Type.Object(
  {
    subject: string("Id of what changed; empty if the change is about several.", "site_9d4f"),
    kind: string("Kind of the change: an action of the audit log, or one of the service.", "site.change"),
    failures: integer("How often it failed. From the fifth time on there is an alarm.", 5),
    error: string("Why it failed last; the log has all of it.", "took longer than 5 s"),
    since: moment("When it failed first.", "created"),
    next_attempt_at: moment("When it is tried again.", "later"),
  },
  {
    $id: "FollowerFault",
    description: "A change that a follower could not follow. Later changes of the subject wait.",
  },
);

export const Follower = Type.Object(
  {
    name,
    waiting_since: nullable(moment("Since when the oldest change waits; null if all were followed.")),
    waiting: integer("Changes that could not be followed, and later ones of their subjects, which wait for them.", 0),
    faults: Type.Array(FollowerFault, {
      description: "Changes that could not be followed, oldest first; at most 100.",
    }),
  },
  { $id: "Follower", description: "A part of the service that follows what changes in others." },
);
export type Follower = Static<typeof Follower>;

export const listFollowers = endpoint({
  id: "listFollowers",
  method: "GET",
  path: "/followers",
  tag: "Alarms",
  summary: "List the followers of changes",
  description: "Returns how far each part of the service that follows changes is, and what it could not follow.",
  reply: Type.Object(
    { items: Type.Array(Follower, { description: "By name." }) },
    { $id: "Followers", description: "The followers of changes." },
  ),
});

export const retryFollower = endpoint({
  id: "retryFollower",
  method: "POST",
  path: "/followers/{name}/retry",
  once: "within",
  tag: "Alarms",
  summary: "Retry what a follower could not follow",
  description:
    "Tries each of its faults again at once: after the cause is removed, for what is otherwise tried every five minutes.",
  params: Type.Object({ name }),
  reply: Follower,
});
