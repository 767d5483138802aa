import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { mapResult } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import {
  type DemoStore,
  type DemoStores,
  findDemo,
  refuseStart,
  removeDemo,
  type SeenDemo,
  startDemo,
} from "../operations/switch-demo.js";

export const demoRoutes = (app: FastifyInstance, ports: RepeatablePorts<DemoStores>): void => {
  serve(app, operator.getDemo, async () => toWire(await findDemo(ports)));
  serveOnce(app, operator.startDemo, ports, ({ request }, ports) =>
    mapResult(startDemo(ports, actorOf(request)), toWire),
  );
  serve(app, operator.removeDemo, ({ request }) => mapResult(removeDemo(ports, actorOf(request)), toWire));
};

const toWire = (seen: SeenDemo): operator.Demo => {
  const { demo, size } = seen;
  const refusal = refuseStart(seen);
  return {
    state: demo?.state ?? "off",
    can_start: demo === null && refusal === null,
    reason: refusal?.message ?? null,
    progress: demo === null || demo.state === "on" ? null : demo.progress,
    started_at: demo === null ? null : formatTimestamp(demo.startedAt),
    accounts: demo === null ? 0 : size.accounts,
    sites: demo === null ? 0 : size.sites,
  };
};

export interface DemoStatePorts {
  readonly stores: { readonly demo: Pick<DemoStore, "find"> };
}

/** Tells an account's users that nothing they see is real. */
export const demoStateRoutes = (app: FastifyInstance, { stores }: DemoStatePorts): void =>
  serve(app, participantConsole.getDemoState, async () => ({
    state: (await stores.demo.find())?.state ?? ("off" as const),
  }));
