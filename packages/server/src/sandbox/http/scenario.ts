import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import type { AccountStore } from "../../access/operations/access-stores.js";
import { deliveryToWire, type ShowsResponse, showsAll } from "../../notification/http/delivery.js";
import type { DeliveryStore } from "../../notification/operations/notification-stores.js";
import type { Clock } from "../../platform/clock.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { OncePorts } from "../../platform/http/serve-once.js";
import { notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { IntegrationCertificate } from "../domain/certificate.js";
import { closedAt, isFinal, type Report } from "../domain/report.js";
import { dispatchIdsOf, type Scenario } from "../domain/scenario.js";
import type {
  CertificateStore,
  NotedAct,
  NotedScenario,
  ScenarioService,
  ScenarioStore,
  ScenarioWithin,
} from "../operations/scenario-service.js";
import { playRoutes } from "./participant-scenario.js";
import { reportToWire } from "./wire-report.js";

/** Deliveries in the sandbox. */
interface ScenarioDeliveries {
  readonly deliveries: Pick<DeliveryStore, "ofDispatches">;
}

export interface ScenarioRoutePorts {
  readonly stores: { readonly accounts: Pick<AccountStore, "find"> };
  readonly clock: Clock;
  readonly sandbox: {
    readonly scenarios: Pick<ScenarioStore, "find" | "list">;
    readonly certificates: Pick<CertificateStore, "list">;
    readonly ports: { readonly stores: ScenarioDeliveries };
    reportOf(scenario: Scenario): Promise<Report>;
  };
}

export const scenarioRoutes = (app: FastifyInstance, { stores, clock, sandbox }: ScenarioRoutePorts): void => {
  serve(app, operator.listAccountScenarios, async ({ params, query }) => {
    if ((await stores.accounts.find(params.id)) === null) return notFound("account");
    const now = clock.now();
    return listed(
      query,
      (page) => sandbox.scenarios.list(params.id, page),
      (run) => runToWire(run, now),
    );
  });
  serve(app, operator.listAccountCertificates, async ({ params, query }) => {
    if ((await stores.accounts.find(params.id)) === null) return notFound("account");
    return listed(query, (page) => sandbox.certificates.list(params.id, page), certificateToWire);
  });
  serve(app, operator.getScenarioReport, async ({ params }) => {
    const scenario = await sandbox.scenarios.find(params.id);
    return scenario === null ? notFound("scenario") : reportToWire(await sandbox.reportOf(scenario));
  });
  serve(app, operator.listScenarioDeliveries, async ({ params, query }) => {
    const scenario = await sandbox.scenarios.find(params.id);
    if (scenario === null) return notFound("scenario");
    const { deliveries } = sandbox.ports.stores;
    return listed(
      query,
      (page) => deliveries.ofDispatches(dispatchIdsOf(scenario), page),
      (delivery) => deliveryToWire(delivery, showsAll),
    );
  });
};

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

const actToWire = ({ what, dispatchId, number, count, firstAt, lastAt }: NotedAct) => ({
  what,
  dispatch_id: dispatchId === "" ? null : dispatchId,
  modification_number: number,
  first_at: formatTimestamp(firstAt),
  last_at: formatTimestamp(lastAt),
  count,
});

/** A scenario with what its participant did. */
const runToWire = ({ scenario, acts }: NotedScenario, now: Date): operator.ScenarioRun => ({
  id: scenario.id,
  scenario_type: scenario.type,
  name: scenario.name,
  speed: scenario.speed,
  state: isFinal(scenario, now) ? "final" : "running",
  created_at: formatTimestamp(scenario.createdAt),
  final_at: formatTimestamp(closedAt(scenario)),
  acts: acts.map(actToWire),
});

const certificateToWire = ({
  id,
  accountId,
  certifiedAt,
  passes,
}: IntegrationCertificate): operator.IntegrationCertificate => ({
  id,
  account_id: accountId,
  certified_at: formatTimestamp(certifiedAt),
  passes: passes.map(({ scenarioId, type, passedAt, channels, keyId }) => ({
    scenario_id: scenarioId,
    scenario_type: type,
    passed_at: formatTimestamp(passedAt),
    channels: [...channels],
    key_id: keyId,
  })),
});
