import { type operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import type { Found } from "../domain/search.js";
import { type SearchPorts, searchFor } from "../operations/search.js";
import { searchTurns } from "./search-turns.js";
import { foundToWire } from "./wire-search.js";

/** A search in the caller's own account. */
export const ownSearchRoutes = (app: FastifyInstance, ports: SearchPorts): void => {
  const turns = searchTurns();
  serve(app, participantConsole.searchOwn, async ({ query, request }) => {
    const { accountId } = callerOf(request);
    const found = await turns.run(accountId, () => searchFor(ports, query.q, accountId));
    return isRefusal(found) ? found : { items: found.flatMap(ownToWire) };
  });
};

const ownToWire = (found: Found): operator.OwnFound[] => {
  const { kind } = found;
  return kind === "site" || kind === "meter" || kind === "dispatch" ? [{ ...foundToWire(found), kind }] : [];
};
