import { BASE_PATHS } from "@curtail/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from "fastify";
import type { Clock } from "../../platform/clock.js";
import { causedBy } from "../../platform/trace-cause.js";
import type { SpanAttributes, Tracing } from "../../platform/tracing.js";

export interface TracedRequestPorts {
  readonly tracing: Tracing;
  readonly clock: Clock;
}

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Acts of operators, and of participants on dispatches. Uploads and polls come too often. */
const isTraced = (url: string): boolean => url.startsWith(`${BASE_PATHS.operator}/`) || url.includes("/dispatches");

/**
 * Gives requests that may change something a span each; journal entries that they lead to carry its trace. Call it before the
 * routes are added.
 */
export const traceChangingRequests = (app: FastifyInstance, ports: TracedRequestPorts): void => {
  app.addHook("onRoute", (route) => {
    const methods = [route.method].flat();
    if (!isTraced(route.url) || !methods.some((method) => CHANGING.has(method))) return;
    const before = [route.preHandler ?? []].flat();
    route.preHandler = [tracedBy(ports, route.url), ...before];
  });
};

/** Within the last hook: what reads a body runs elsewhere. */
const tracedBy =
  ({ tracing, clock }: TracedRequestPorts, route: string): preHandlerHookHandler =>
  (request, reply, done) => {
    const startsAt = new Date(clock.now().getTime() - reply.elapsedTime);
    const span = tracing.beginRequest(route, request.method, parentOf(request, route), startsAt);
    let dispatchId: string | null = null;
    reply.raw.once("close", () =>
      span.end({
        endsAt: clock.now(),
        attributes: attributesOf(request, reply, route, dispatchId),
        error: reply.statusCode >= 500 ? `${reply.statusCode}` : null,
      }),
    );
    const noteEntry = (kind: string, subject: string): void => {
      if (kind.startsWith("dispatch.")) dispatchId ??= subject;
    };
    causedBy({ traceparent: span.traceparent, noteEntry }, done);
  };

/** Operators' own systems may continue a trace; participants cannot join one, nor decide what is recorded. */
const parentOf = ({ headers }: FastifyRequest, route: string): string | null => {
  const { traceparent } = headers;
  return typeof traceparent === "string" && route.startsWith(`${BASE_PATHS.operator}/`) ? traceparent : null;
};

const attributesOf = (
  { method }: FastifyRequest,
  { statusCode }: FastifyReply,
  route: string,
  dispatchId: string | null,
): SpanAttributes => ({
  "curtail.dispatch.id": dispatchId,
  "http.request.method": method,
  "http.response.status_code": statusCode,
  "http.route": route,
});
