import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { mapResult } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { findHold, type HoldPorts, releaseDelivery, type SeenHold } from "../operations/delivery-hold.js";

export const deliveryHoldRoutes = (app: FastifyInstance, ports: HoldPorts): void => {
  serve(app, operator.getDeliveryHold, async () => toWire(await findHold(ports)));
  serve(app, operator.releaseDelivery, ({ request }) => mapResult(releaseDelivery(ports, actorOf(request)), toWire));
};

const toWire = ({ hold, waiting, outdated }: SeenHold): operator.DeliveryHold => ({
  held: hold !== null,
  held_at: hold === null ? null : formatTimestamp(hold.heldAt),
  backup_at: hold === null ? null : formatTimestamp(hold.backupAt),
  waiting,
  outdated,
});
