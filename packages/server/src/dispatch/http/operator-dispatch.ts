import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { actorNames } from "../../access/operations/actor-names.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments, seconds, spaceAsPlus } from "../../platform/http/timestamps.js";
import { invalid, isRefusal, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { DispatchRevision } from "../domain/dispatch.js";
import { cancelTests, changeDispatch } from "../operations/change-dispatch.js";
import { createDispatch, type IssuingStores } from "../operations/create-dispatch.js";
import {
  changedDispatchToWire,
  createdDispatchToWire,
  detailsFrom,
  listedDispatchToWire,
  newDispatchFrom,
  operatorDispatchToWire,
} from "./wire-dispatch.js";

const revisionToWire = (revision: DispatchRevision, actorName: string | null) => ({
  modification_number: revision.modificationNumber,
  at: formatTimestamp(revision.at),
  actor: revision.actor,
  actor_name: actorName,
  start_time: formatTimestamp(revision.start),
  end_time: revision.end === null ? null : formatTimestamp(revision.end),
  authorized: revision.authorized,
});

export type DispatchRoutePorts = RepeatablePorts<IssuingStores & Pick<AccessStores, "users">>;

export const dispatchRoutes = (app: FastifyInstance, ports: DispatchRoutePorts): void => {
  serveOnce(app, operator.createDispatch, ports, async ({ body, request }, ports) => {
    const input = newDispatchFrom(body);
    if (isRefusal(input)) return input;
    return mapResult(createDispatch(ports, actorOf(request), input), createdDispatchToWire);
  });
  serve(app, operator.listAllDispatches, async ({ query }) => {
    const { state: phase = null, program_id: programId = null, site_id: siteId = null } = query;
    const times = moments({ start_time: spaceAsPlus(query.start_time), end_time: spaceAsPlus(query.end_time) });
    if (isRefusal(times)) return times;
    const filter = {
      phase,
      now: ports.clock.now(),
      programId,
      siteId,
      after: times.start_time ?? null,
      before: times.end_time ?? null,
      withSites: query.sites !== "omit",
    };
    return listed(query, (page) => ports.stores.dispatches.list(filter, page), listedDispatchToWire);
  });
  serve(app, operator.getAnyDispatch, async ({ params }) => {
    const dispatch = await ports.stores.dispatches.find(params.id);
    if (dispatch === null) return notFound("dispatch");
    const revisions = await ports.stores.dispatches.revisions(params.id);
    const nameOf = await actorNames(
      ports.stores.users,
      revisions.map(({ actor }) => actor),
    );
    return {
      ...(await operatorDispatchToWire(dispatch)),
      revisions: revisions.map((revision) => revisionToWire(revision, nameOf(revision.actor))),
    };
  });
  serveOnce(app, operator.cancelTests, ports, ({ params, request }, ports) =>
    mapResult(cancelTests(ports, actorOf(request), params.id), (cancelled) => ({ cancelled: [...cancelled] })),
  );
  serve(app, operator.changeDispatch, async ({ params, body, request }) => {
    if (body.authorized === true) {
      return invalid(
        "authorized is true; only false is supported. A cancelled dispatch stays cancelled: issue a new one.",
      );
    }
    const times = seconds({ start_time: body.start_time, end_time: body.end_time });
    if (isRefusal(times)) return times;
    const change = {
      start: times.start_time,
      end: times.end_time,
      cancel: body.authorized === false,
      voidReason: body.void_reason,
      details: detailsFrom(body),
    };
    return mapResult(changeDispatch(ports, actorOf(request), params.id, change), changedDispatchToWire);
  });
};
