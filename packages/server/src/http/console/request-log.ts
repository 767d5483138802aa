import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../endpoint.js";
import { portsOf } from "../operator/operator-ports.js";
import { listedBy } from "../page.js";
import { byLogPlace, requestsToWire } from "../wire/request-log.js";
import type { ConsolePorts } from "./console-ports.js";
import { personOf } from "./person.js";

/** What the own account's keys asked. */
export const ownRequestLogRoutes = (app: FastifyInstance, ports: ConsolePorts): void =>
  serve(app, participantConsole.listOwnRequests, ({ query, request }) =>
    listedBy(query, {
      form: byLogPlace,
      list: (page) => portsOf(ports, query).stores.requests.list(personOf(request).within, query.status ?? null, page),
      toWire: requestsToWire,
    }),
  );
