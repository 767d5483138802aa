import { type getSharedEnergy, MAX_SHARING, type SharedDispatches } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { isRefusal } from "../../platform/refusal.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { Viewer } from "../../portfolio/operations/visible-sites.js";
import { type SharedEnergyPorts, type SharingDispatch, viewSharedEnergy } from "../operations/view-shared-energy.js";

type Worded = "id" | "summary" | "description";
type Reading = Omit<typeof getSharedEnergy, Worded> & Readonly<Record<Worded, string>>;

const toWire = (each: SharingDispatch): SharedDispatches["items"][number] => ({
  dispatch_id: each.dispatchId,
  program_name: each.programName,
  start_time: formatSecond(each.fromMs),
  end_time: each.toMs === null ? null : formatSecond(each.toMs),
  paid: each.isPaidHere ? "here" : "there",
  sites: each.sites,
  intervals: each.intervals,
});

/** Serves the dispatches that share the energy of one, to the caller that `viewer` allows. */
export const sharedEnergyRoute = (
  app: FastifyInstance,
  endpoint: Reading,
  ports: SharedEnergyPorts,
  viewer: (request: FastifyRequest) => Viewer,
): void =>
  serve(app, endpoint, async ({ params, request }) => {
    const found = await viewSharedEnergy(ports, viewer(request), params.id);
    if (isRefusal(found)) return found;
    return {
      dispatch_id: params.id,
      items: found.slice(0, MAX_SHARING).map(toWire),
      item_count: found.length,
    };
  });
