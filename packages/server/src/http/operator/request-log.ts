import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../domain/refusal.js";
import { serve } from "../endpoint.js";
import { listedBy } from "../page.js";
import { byLogPlace, requestsToWire } from "../wire/request-log.js";
import type { OperatorPorts } from "./operator-ports.js";

export const requestLogRoutes = (app: FastifyInstance, { stores }: OperatorPorts): void =>
  serve(app, operator.listAccountRequests, async ({ params, query }) => {
    if ((await stores.accounts.find(params.id)) === null) return notFound("account");
    return listedBy(query, {
      form: byLogPlace,
      list: (page) => stores.requests.list(params.id, query.status ?? null, page),
      toWire: requestsToWire,
    });
  });
