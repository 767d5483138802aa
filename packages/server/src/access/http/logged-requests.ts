import { createHash } from "node:crypto";
import { listRequests, operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { type CursorForm, listedBy } from "../../platform/http/page.js";
import { moments, spaceAsPlus } from "../../platform/http/timestamps.js";
import type { Page, PageRequest } from "../../platform/page.js";
import { isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { formatSecond, formatTimestamp } from "../../platform/timestamp.js";
import { callerOf } from "../caller/caller.js";
import { type BothEnvironments, portsOf } from "../caller/environment-ports.js";
import { personOf } from "../caller/person.js";
import { leaveOutOfLog } from "../caller/request-log.js";
import { explain } from "../domain/request-explanation.js";
import type { LoggedRequests, LogPlace, RequestFilter } from "../domain/request-log.js";
import type { AccountStore } from "../operations/access-stores.js";
import type { RequestLogService, RequestLogStore } from "../operations/log-requests.js";

type RequestPorts = BothEnvironments<{ readonly stores: { readonly requests: RequestLogStore } }>;

export type RequestLogRoutePorts = RequestPorts & {
  readonly stores: { readonly accounts: Pick<AccountStore, "find"> };
};

/** Requests made with any key of an account. */
export const requestLogRoutes = (app: FastifyInstance, ports: RequestLogRoutePorts): void =>
  serve(app, operator.listAccountRequests, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    return requestsListed(query, (filter, page) => portsOf(ports, query).stores.requests.list(params.id, filter, page));
  });

/** Requests made with the caller's own keys. */
export const ownRequestLogRoutes = (app: FastifyInstance, ports: RequestPorts): void =>
  serve(app, participantConsole.listOwnRequests, ({ query, request }) =>
    requestsListed(query, (filter, page) =>
      portsOf(ports, query).stores.requests.list(personOf(request).within, filter, page),
    ),
  );

/** Requests made with any key of the caller's account. */
export const requestLogRoute = (app: FastifyInstance, service: RequestLogService): void =>
  serve(app, listRequests, ({ query, request }) => {
    // Otherwise following the log would fill it.
    leaveOutOfLog(request);
    return requestsListed(
      query,
      (filter, page) => service.listRequests(callerOf(request), filter, page),
      (requests) => ({ ...requestsToWire(requests), at: formatSecond(requests.at) }),
    );
  });

interface RequestsQuery {
  readonly cursor?: string;
  readonly limit?: number;
  readonly status?: "error" | "ok";
  readonly since?: string;
}

type ListRequests = (filter: RequestFilter, page: PageRequest<LogPlace>) => Promise<Page<LoggedRequests, LogPlace>>;

/** Answers a list of requests. */
const requestsListed = async (
  query: RequestsQuery,
  list: ListRequests,
  toWire = requestsToWire,
): Promise<Result<{ items: operator.LoggedRequests[]; next_cursor: string | null }>> => {
  const times = moments({ since: spaceAsPlus(query.since) });
  if (isRefusal(times)) return times;
  const filter = { status: query.status ?? null, since: times.since ?? null };
  return listedBy(query, { form: byLogPlace, list: (page) => list(filter, page), toWire });
};

const requestsToWire = (requests: LoggedRequests): operator.LoggedRequests => ({
  id: idOf(requests),
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

/** From what never changes of an entry: its number would show accounts how much others send. */
const idOf = ({ keyId, at, method, path, status, isSum, totalMs }: LoggedRequests): string => {
  const lasting = [keyId, at.getTime(), method, path, status, isSum ? null : totalMs];
  return `req_${createHash("sha256").update(JSON.stringify(lasting)).digest("hex").slice(0, ID_DIGITS)}`;
};

const ID_DIGITS = 16;

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const byLogPlace: CursorForm<LogPlace> = {
  write: ({ at, seq }) => `r${at.getTime()}.${seq}`,
  read(text) {
    const [, ms, seq] = /^r(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
    return ms === undefined || seq === undefined ? null : { at: new Date(Number(ms)), seq: Number(seq) };
  },
};
