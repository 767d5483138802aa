import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { FollowerFaultState, FollowerState, FollowerStates } from "../operations/follower-ports.js";

export type FollowerRoutePorts = RepeatablePorts<{ readonly followers: FollowerStates }>;

export const followerRoutes = (app: FastifyInstance, ports: FollowerRoutePorts): void => {
  serve(app, operator.listFollowers, async () => ({ items: (await ports.stores.followers.list(null)).map(toWire) }));
  serveOnce(
    app,
    operator.retryFollower,
    () => ports,
    async ({ params }, { stores, clock }) => {
      await stores.followers.retry(params.name, clock.now());
      const [follower] = await stores.followers.list(params.name);
      return follower === undefined ? notFound("follower") : toWire(follower);
    },
  );
};

const toWire = ({ name, waitingSince, waiting, faults }: FollowerState): operator.Follower => ({
  name,
  waiting_since: waitingSince === null ? null : formatTimestamp(waitingSince),
  waiting,
  faults: faults.map(faultToWire),
});

const faultToWire = ({ since, nextAttemptAt, subject, kind, failures, error }: FollowerFaultState) => ({
  subject,
  kind,
  failures,
  error,
  since: formatTimestamp(since),
  next_attempt_at: formatTimestamp(nextAttemptAt),
});
