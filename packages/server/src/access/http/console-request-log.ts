import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { type BothEnvironments, portsOf } from "../caller/environment-ports.js";
import { personOf } from "../caller/person.js";
import type { RequestLogStore } from "../operations/log-requests.js";
import { requestsListed } from "./wire-request-log.js";

export type OwnRequestLogRoutePorts = BothEnvironments<{ readonly stores: { readonly requests: RequestLogStore } }>;

/** Requests made with the caller's own keys. */
export const ownRequestLogRoutes = (app: FastifyInstance, ports: OwnRequestLogRoutePorts): void =>
  serve(app, participantConsole.listOwnRequests, ({ query, request }) =>
    requestsListed(query, (filter, page) =>
      portsOf(ports, query).stores.requests.list(personOf(request).within, filter, page),
    ),
  );
