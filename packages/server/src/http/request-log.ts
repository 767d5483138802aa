import type { FastifyInstance, FastifyRequest } from "fastify";
import { isError, keptPath, shownRoute } from "../domain/request-log.js";
import type { AnsweredRequest } from "../operations/log-requests.js";
import { keyCallerOf } from "./caller.js";
import { answeredMessageOf } from "./error-replies.js";

/** Tells of every answer to a key's request; requests without a good key are nobody's. */
export const logRequests = (app: FastifyInstance, note: (request: AnsweredRequest) => void): void => {
  // Not worked out anew for each request.
  const routes = new Map<string, string>();
  const shown = (route: string): string => {
    const known = routes.get(route) ?? shownRoute(route);
    routes.set(route, known);
    return known;
  };
  app.addHook("onResponse", async (request, reply) => {
    const caller = keyCallerOf(request);
    const route = request.routeOptions.url;
    if (caller === null || route === undefined) return;
    const status = reply.statusCode;
    note({
      accountId: caller.accountId,
      keyId: caller.keyId,
      method: request.method,
      route: shown(route),
      status,
      durationMs: reply.elapsedTime,
      path: () => keptPath(route, request.params as Record<string, string>, queryNamesOf(request)),
      message: isError(status) ? answeredMessageOf(request) : null,
    });
  });
};

/** As they were sent: a request may be refused before its query is read. */
const queryNamesOf = ({ url }: FastifyRequest): string[] => {
  const start = url.indexOf("?");
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1)).keys()];
};
