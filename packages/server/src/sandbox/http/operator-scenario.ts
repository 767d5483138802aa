import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { AccountStore } from "../../access/operations/account-ports.js";
import { deliveryToWire, showsAll } from "../../notification/http/wire-delivery.js";
import type { DeliveryStore } from "../../notification/operations/delivery-ports.js";
import type { Clock } from "../../platform/clock.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { notFound } from "../../platform/refusal.js";
import type { Report } from "../domain/report.js";
import { dispatchIdsOf, type Scenario } from "../domain/scenario.js";
import type { CertificateStore, ScenarioStore } from "../operations/scenario-service.js";
import { reportToWire } from "./wire-report.js";
import { certificateToWire, runToWire } from "./wire-scenario-run.js";

/** Deliveries in the sandbox. */
export interface ScenarioDeliveries {
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
