import type { FastifyInstance, FastifyRequest } from "fastify";
import { sleep } from "../../platform/database/database-clock.js";
import { type EventSink, serveEvents } from "../../platform/http/event-stream.js";
import type { ServerPorts } from "./server-ports.js";

/** Where each listener says which service it is: not a secret, and not part of the REST interface. */
export const IDENTITY_PATH = "/.well-known/curtail";

/** How long the stream waits before its second event: what arrives together was held back on the way. */
export const PAUSE_MS = 1000;

/** Whether what is in between says who asks, and is believed. */
export type Forwarding = "none" | "trusted" | "untrusted";

/** What a listener says of itself. */
export interface ListenerIdentity {
  readonly service: string;
  readonly listener: "production" | "sandbox" | "operators";
  readonly forwarding: Forwarding;
}

/**
 * A stream of two events, the second a second after the first, for `curtail doctor service`: whether an address leads to this
 * service, and whether what is in between lets streams through.
 */
export const identityRoute = (
  app: FastifyInstance,
  { health, scenarios, operation }: Pick<ServerPorts, "health" | "scenarios" | "operation">,
): void => {
  const own = operation?.side === "operators" ? "operators" : "production";
  const listener = scenarios === undefined ? own : "sandbox";
  serveEvents(app, { sleep }, { path: IDENTITY_PATH }, async (request) => ({
    reader: "anybody",
    mayContinue: async () => true,
    begin: (sink) => twoEvents(sink, { service: health.identity, listener, forwarding: forwardingOf(request) }),
  }));
};

const twoEvents = (sink: EventSink, identity: ListenerIdentity) => {
  sink.send({ name: "identity", data: identity });
  const timer = setTimeout(() => {
    sink.send({ name: "end", data: {} });
    sink.end();
  }, PAUSE_MS);
  return { resume: () => {}, stop: () => clearTimeout(timer) };
};

const forwardingOf = ({ headers, ips = [] }: FastifyRequest): Forwarding => {
  if (headers["x-forwarded-for"] === undefined) return "none";
  // The first is the peer itself.
  return ips.length > 1 ? "trusted" : "untrusted";
};
