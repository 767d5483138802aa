import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import { type SearchPorts, searchFor } from "../operations/search.js";
import { searchTurns } from "./search-turns.js";
import { foundToWire } from "./wire-search.js";

export const searchRoutes = (app: FastifyInstance, ports: SearchPorts): void => {
  const turns = searchTurns();
  serve(app, operator.search, async ({ query, request }) => {
    const found = await turns.run(actorOf(request), () => searchFor(ports, query.q, null));
    if (isRefusal(found)) return found;
    return {
      items: found.map((each) => ({
        ...foundToWire(each),
        kind: each.kind,
        account_id: each.accountId,
        account_name: each.accountName,
      })),
    };
  });
};
