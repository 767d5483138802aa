import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { Ports } from "../../platform/ports.js";
import { done, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { ExcludedDay } from "../domain/excluded-day.js";
import { type ExcludingStores, excludeDay, includeDay } from "../operations/final/exclude-days.js";

const toWire = ({ date, reason, actor, at }: ExcludedDay): operator.ExcludedDay => ({
  date,
  reason,
  by: actor,
  at: formatTimestamp(at),
});

export const excludedDayRoutes = (app: FastifyInstance, ports: Ports<ExcludingStores>): void => {
  serve(app, operator.listExcludedDays, async ({ params, query }) => {
    if ((await ports.stores.sites.find(params.id)) === null) return notFound("site");
    return listed(query, (page) => ports.stores.excludedDays.list(params.id, page), toWire);
  });
  serve(app, operator.excludeDay, async ({ params, body, request }) => {
    const exclusion = { siteId: params.id, date: params.date, reason: body.reason };
    return mapResult(excludeDay(ports, actorOf(request), exclusion), toWire);
  });
  serve(app, operator.includeDay, ({ params, request }) =>
    done(includeDay(ports, actorOf(request), { siteId: params.id, date: params.date })),
  );
};
