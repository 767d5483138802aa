import type { FastifyInstance, FastifyReply } from "fastify";
import { type HttpError, refused } from "../../platform/http/error-replies.js";
import { tooMany } from "../../platform/refusal.js";
import type { RateVerdict } from "../domain/rate-limit.js";

const SWEEP_MS = 60_000;

export const sweepEachMinute = (app: FastifyInstance, sweep: () => void): void => {
  const timer = setInterval(sweep, SWEEP_MS);
  app.addHook("onClose", async () => clearInterval(timer));
};

/** Sets the rate headers, and refuses requests beyond the limit (G9). */
export const applyRate = (reply: FastifyReply, verdict: RateVerdict, who: string): void => {
  reply.header("x-ratelimit-limit", verdict.limit);
  reply.header("x-ratelimit-remaining", verdict.remaining);
  reply.header("x-ratelimit-reset", verdict.resetSeconds);
  if (!verdict.allowed) throw tooManyRequests(verdict, `${who} has sent ${verdict.limit} requests within a minute`);
};

export const tooManyRequests = ({ resetSeconds }: RateVerdict, why: string): HttpError =>
  refused(tooMany(why, resetSeconds));
