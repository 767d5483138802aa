import { listRequests } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { formatSecond } from "../../platform/timestamp.js";
import { callerOf } from "../caller/caller.js";
import type { RequestLogService } from "../operations/log-requests.js";
import { leaveOutOfLog } from "./request-log.js";
import { requestsListed, requestsToWire } from "./wire-request-log.js";

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
