import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { FollowerState, FollowerStates } from "../operations/follower-ports.js";

export type FollowerRoutePorts = RepeatablePorts<{ readonly followers: FollowerStates }>;

export const followerRoutes = (app: FastifyInstance, ports: FollowerRoutePorts): void => {
  serve(app, operator.listFollowers, async () => ({ items: (await ports.stores.followers.list(null)).map(toWire) }));
  serveOnce(app, operator.retryFollower, ports, async ({ params }, { stores, clock }) => {
    await stores.followers.retry(params.name, clock.now());
    const [follower] = await stores.followers.list(params.name);
    return follower === undefined ? notFound("follower") : toWire(follower);
  });
};

const toWire = ({ name, waitingSince, waiting, faults }: FollowerState): operator.Follower => ({
  name,
  waiting_since: momentToWire(waitingSince),
  waiting,
  faults: faults.map(({ since, nextAttemptAt, ...fault }) => ({
    ...fault,
    since: formatTimestamp(since),
    next_attempt_at: formatTimestamp(nextAttemptAt),
  })),
});
