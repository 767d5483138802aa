import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { AccountStore } from "../../access/operations/account-ports.js";
import type { Clock } from "../../platform/clock.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { finalAt, isFinal, type Report } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import type { NotedAct, NotedScenario, ScenarioStore } from "../operations/scenario-service.js";
import { reportToWire } from "./wire-report.js";

const actToWire = ({ what, dispatchId, number, count, firstAt, lastAt }: NotedAct) => ({
  what,
  dispatch_id: dispatchId === "" ? null : dispatchId,
  modification_number: number,
  first_at: formatTimestamp(firstAt),
  last_at: formatTimestamp(lastAt),
  count,
});

const toWire = ({ scenario, acts }: NotedScenario, now: Date): operator.ScenarioRun => ({
  id: scenario.id,
  scenario_type: scenario.type,
  name: scenario.name,
  speed: scenario.speed,
  state: isFinal(scenario, now) ? "final" : "running",
  created_at: formatTimestamp(scenario.createdAt),
  final_at: formatTimestamp(scenario.replacedAt ?? finalAt(scenario)),
  acts: acts.map(actToWire),
});

export interface ScenarioRoutePorts {
  readonly stores: { readonly accounts: Pick<AccountStore, "find"> };
  readonly clock: Clock;
  readonly sandbox: {
    readonly scenarios: Pick<ScenarioStore, "find" | "list">;
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
      (run) => toWire(run, now),
    );
  });
  serve(app, operator.getScenarioReport, async ({ params }) => {
    const scenario = await sandbox.scenarios.find(params.id);
    return scenario === null ? notFound("scenario") : reportToWire(await sandbox.reportOf(scenario));
  });
};
