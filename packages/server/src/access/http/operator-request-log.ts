import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { notFound } from "../../platform/refusal.js";
import { type BothEnvironments, portsOf } from "../caller/environment-ports.js";
import type { AccountStore } from "../operations/account-ports.js";
import type { RequestLogStore } from "../operations/log-requests.js";
import { requestsListed } from "./wire-request-log.js";

export type RequestLogRoutePorts = BothEnvironments<{ readonly stores: { readonly requests: RequestLogStore } }> & {
  readonly stores: { readonly accounts: Pick<AccountStore, "find"> };
};

export const requestLogRoutes = (app: FastifyInstance, ports: RequestLogRoutePorts): void =>
  serve(app, operator.listAccountRequests, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    return requestsListed(query, (filter, page) => portsOf(ports, query).stores.requests.list(params.id, filter, page));
  });
