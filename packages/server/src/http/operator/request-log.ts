import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../domain/refusal.js";
import { serve } from "../endpoint.js";
import { listedBy } from "../page.js";
import { byLogPlace, requestsToWire } from "../wire/request-log.js";
import { type OperatorPorts, portsOf } from "./operator-ports.js";

export const requestLogRoutes = (app: FastifyInstance, ports: OperatorPorts): void =>
  serve(app, operator.listAccountRequests, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    return listedBy(query, {
      form: byLogPlace,
      list: (page) => portsOf(ports, query).stores.requests.list(params.id, query.status ?? null, page),
      toWire: requestsToWire,
    });
  });
