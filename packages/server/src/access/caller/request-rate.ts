import type { FastifyInstance, FastifyReply } from "fastify";
import type { Clock } from "../../platform/clock.js";
import { type HttpError, refused } from "../../platform/http/error-replies.js";
import { tooMany } from "../../platform/refusal.js";
import { type RateVerdict, RateWindows } from "../domain/rate-limit.js";

const SWEEP_MS = 60_000;

/** Rate windows that are swept as long as the listener lives. */
export const sweptWindows = (app: FastifyInstance, clock: Clock): RateWindows => {
  const windows = new RateWindows();
  sweepEachMinute(app, () => windows.sweep(clock.now().getTime()));
  return windows;
};

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
