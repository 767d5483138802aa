import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import { deliveryToWire, type ShowsResponse } from "../../notification/http/wire-delivery.js";
import type { Clock } from "../../platform/clock.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { OncePorts } from "../../platform/http/serve-once.js";
import { notFound } from "../../platform/refusal.js";
import { dispatchIdsOf } from "../domain/scenario.js";
import type {
  CertificateStore,
  ScenarioService,
  ScenarioStore,
  ScenarioWithin,
} from "../operations/scenario-service.js";
import type { ScenarioDeliveries } from "./operator-scenario.js";
import { playRoutes } from "./participant-scenario.js";
import { certificateToWire, runToWire } from "./wire-scenario-run.js";

export interface OwnScenarioRoutePorts {
  readonly showsResponse: ShowsResponse;
  readonly clock: Clock;
  readonly sandbox: {
    readonly service: ScenarioService;
    readonly scenarios: Pick<ScenarioStore, "find" | "list">;
    readonly certificates: Pick<CertificateStore, "list">;
    readonly ports: OncePorts<ScenarioWithin> & { readonly stores: ScenarioDeliveries };
  };
}

/** The caller's own account in the sandbox: its scenarios, started by a person, and its certificates. */
export const ownScenarioRoutes = (
  app: FastifyInstance,
  { clock, sandbox, showsResponse }: OwnScenarioRoutePorts,
): void => {
  playRoutes(app, sandbox.service, { once: sandbox.ports.once });
  serve(app, participantConsole.listOwnScenarios, ({ query, request }) => {
    const now = clock.now();
    return listed(
      query,
      (page) => sandbox.scenarios.list(personOf(request).within, page),
      (run) => runToWire(run, now),
    );
  });
  serve(app, participantConsole.listOwnScenarioDeliveries, async ({ params, query, request }) => {
    const scenario = await sandbox.scenarios.find(params.id);
    if (scenario === null || scenario.accountId !== personOf(request).within) return notFound("scenario");
    const { deliveries } = sandbox.ports.stores;
    return listed(
      query,
      (page) => deliveries.ofDispatches(dispatchIdsOf(scenario), page),
      (delivery) => deliveryToWire(delivery, showsResponse),
    );
  });
  serve(app, participantConsole.listOwnCertificates, ({ query, request }) =>
    listed(query, (page) => sandbox.certificates.list(personOf(request).within, page), certificateToWire),
  );
};
