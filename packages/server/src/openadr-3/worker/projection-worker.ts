import { Polling } from "../../platform/polling.js";
import { RARELY_MS } from "../../platform/timetable.js";
import { type FollowPorts, SourceFollower } from "../operations/follow-sources.js";

/** Makes objects of OpenADR follow their sources until stopped; wake it when something is committed or due. */
export const projectionWorker = (ports: FollowPorts): Polling => {
  const follower = new SourceFollower(ports);
  return new Polling({
    look: () => follower.look(),
    onError: (error) => ports.log.error({ err: error }, "objects of OpenADR 3 could not follow; retrying"),
    clock: ports.clock,
    everyMs: RARELY_MS,
  });
};
