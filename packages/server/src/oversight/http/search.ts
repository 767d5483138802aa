import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { callerOf } from "../../access/caller/caller.js";
import { CallerTurns } from "../../platform/http/caller-turns.js";
import { serve } from "../../platform/http/endpoint.js";
import { momentToWire } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import type { Found } from "../domain/search.js";
import { type SearchPorts, searchFor } from "../operations/search.js";

/** A search goes through all names: those of one account, whose page asks at each key, take turns, as each operator's do. */
const searchTurns = (): CallerTurns =>
  new CallerTurns({ because: "other searches of yours are under way", laterSeconds: 1 });

/** A search in all accounts. */
export const searchRoutes = (app: FastifyInstance, ports: SearchPorts): void => {
  const turns = searchTurns();
  serve(app, operator.search, async ({ query, request }) => {
    const found = await turns.run(actorOf(request), () => searchFor(ports, query.q, null));
    return isRefusal(found) ? found : { items: found.map(foundToWire) };
  });
};

/** A search in the caller's own account. */
export const ownSearchRoutes = (app: FastifyInstance, ports: SearchPorts): void => {
  const turns = searchTurns();
  serve(app, participantConsole.searchOwn, async ({ query, request }) => {
    const { accountId } = callerOf(request);
    const found = await turns.run(accountId, () => searchFor(ports, query.q, accountId));
    return isRefusal(found) ? found : { items: found.flatMap(ownToWire) };
  });
};

const foundToWire = (found: Found): operator.Found => ({
  ...sharedToWire(found),
  kind: found.kind,
  account_id: found.accountId,
  account_name: found.accountName,
});

const ownToWire = (found: Found): operator.OwnFound[] => {
  const { kind } = found;
  return kind === "site" || kind === "meter" || kind === "dispatch" ? [{ ...sharedToWire(found), kind }] : [];
};

/** What both sides see. */
const sharedToWire = ({ id, name, detail, start, timezone, siteId }: Found): Omit<operator.OwnFound, "kind"> => ({
  id,
  name,
  detail,
  start_time: momentToWire(start),
  timezone,
  site_id: siteId,
});
