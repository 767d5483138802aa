import { isError, type LoggedRequests, minuteOf } from "../../access/domain/request-log.js";
import type { RequestLogService } from "../../access/operations/log-requests.js";
import type { Clock } from "../../platform/clock.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Two requests that the public key shows, to parse: an error, and what succeeded in a minute. They move with the hour
 * (G35). Real ones of a key that many share are nobody's to read.
 */
export const fixedRequests = (clock: Clock): RequestLogService => ({
  async listRequests(_caller, { status, since }, { after, limit }) {
    const hourMs = Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS;
    const wanted = entriesAt(hourMs).filter(
      (each) =>
        (status === null || isError(each.status) === (status === "error")) &&
        (since === null || each.at.getTime() >= (each.isSum ? minuteOf(since) : since.getTime())) &&
        (after === null || each.seq < after.seq),
    );
    const items = wanted.slice(0, limit);
    return { items, next: wanted.length > limit ? (items.at(-1) ?? null) : null };
  },
});

/** Newest first. */
const entriesAt = (hourMs: number): ReadonlyArray<LoggedRequests & { readonly seq: number }> => [
  {
    ...ofPublicKey,
    seq: 2,
    at: new Date(hourMs),
    method: "POST",
    path: "/2022-04-15/telemetry",
    status: 400,
    message: "telemetry[0].interval_seconds is 45; it must be divisible by 30",
    count: 1,
    totalMs: 1.8,
    maxMs: 1.8,
    isSum: false,
  },
  {
    ...ofPublicKey,
    seq: 1,
    at: new Date(hourMs - MINUTE_MS),
    method: "GET",
    path: "/2022-04-15/dispatches",
    status: 200,
    message: null,
    count: 2,
    totalMs: 5.2,
    maxMs: 3.1,
    isSum: true,
  },
];

const ofPublicKey = { accountId: "", keyId: "key_sandbox" } as const;
