import { Polling } from "../../platform/polling.js";
import { type FollowPorts, SourceFollower } from "../operations/follow-sources.js";

/** Wakes come at once with a commit; this is for those that were lost. */
const EVERY_MS = 250;

/** Makes objects of OpenADR follow their sources until stopped; wake it when something is committed or due. */
export const projectionWorker = (ports: FollowPorts): Polling => {
  const follower = new SourceFollower(ports);
  return new Polling({
    look: () => follower.look(),
    onError: (error) => ports.log.error({ err: error }, "objects of OpenADR 3 could not follow; retrying"),
    clock: ports.clock,
    everyMs: EVERY_MS,
  });
};
