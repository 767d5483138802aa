import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import type { DemoStore } from "../operations/demo-ports.js";

export interface DemoStatePorts {
  readonly stores: { readonly demo: Pick<DemoStore, "find"> };
}

/** Tells an account's users that nothing they see is real. */
export const demoStateRoutes = (app: FastifyInstance, { stores }: DemoStatePorts): void =>
  serve(app, participantConsole.getDemoState, async () => ({
    state: (await stores.demo.find())?.state ?? ("off" as const),
  }));
