import { type operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import type { Found } from "../domain/search.js";
import { type SearchPorts, searchFor } from "../operations/search.js";
import { foundToWire } from "./wire-search.js";

/** A search in the caller's own account. */
export const ownSearchRoutes = (app: FastifyInstance, ports: SearchPorts): void =>
  serve(app, participantConsole.searchOwn, async ({ query, request }) => {
    const found = await searchFor(ports, query.q, callerOf(request).accountId);
    return { items: found.flatMap(ownToWire) };
  });

const ownToWire = (found: Found): operator.OwnFound[] => {
  const { kind } = found;
  return kind === "site" || kind === "meter" || kind === "dispatch" ? [{ ...foundToWire(found), kind }] : [];
};
