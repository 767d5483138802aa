import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { RequestLogStore } from "../../operations/log-requests.js";
import { serve } from "../endpoint.js";
import { type BothEnvironments, portsOf } from "../environment-ports.js";
import { listedBy } from "../page.js";
import { byLogPlace, requestsToWire } from "../wire/request-log.js";
import { personOf } from "./person.js";

export type OwnRequestLogRoutePorts = BothEnvironments<{ readonly stores: { readonly requests: RequestLogStore } }>;

/** What the own account's keys asked. */
export const ownRequestLogRoutes = (app: FastifyInstance, ports: OwnRequestLogRoutePorts): void =>
  serve(app, participantConsole.listOwnRequests, ({ query, request }) =>
    listedBy(query, {
      form: byLogPlace,
      list: (page) => portsOf(ports, query).stores.requests.list(personOf(request).within, query.status ?? null, page),
      toWire: requestsToWire,
    }),
  );
