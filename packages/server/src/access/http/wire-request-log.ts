import type { operator } from "@curtail/contract";
import type { CursorForm } from "../../platform/http/page.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { explain } from "../domain/request-explanation.js";
import type { LoggedRequests, LogPlace } from "../domain/request-log.js";

export const requestsToWire = (requests: LoggedRequests): operator.LoggedRequests => ({
  at: formatTimestamp(requests.at),
  key_id: requests.keyId,
  method: requests.method,
  path: requests.path,
  status: requests.status,
  duration_ms: tenths(requests.totalMs / requests.count),
  max_duration_ms: tenths(requests.maxMs),
  error: requests.message,
  explanation: explain(requests),
  count: requests.count,
});

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const byLogPlace: CursorForm<LogPlace> = {
  write: ({ at, seq }) => `r${at.getTime()}.${seq}`,
  read(text) {
    const [, ms, seq] = /^r(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
    return ms === undefined || seq === undefined ? null : { at: new Date(Number(ms)), seq: Number(seq) };
  },
};
