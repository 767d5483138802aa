import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { type SearchPorts, searchFor } from "../operations/search.js";
import { foundToWire } from "./wire-search.js";

export const searchRoutes = (app: FastifyInstance, ports: SearchPorts): void =>
  serve(app, operator.search, async ({ query }) => {
    const found = await searchFor(ports, query.q, null);
    return {
      items: found.map((each) => ({
        ...foundToWire(each),
        kind: each.kind,
        account_id: each.accountId,
        account_name: each.accountName,
      })),
    };
  });
