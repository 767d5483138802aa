import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../domain/refusal.js";
import { finalAt, isFinal } from "../../domain/report.js";
import type { Scenario } from "../../domain/scenario.js";
import { formatTimestamp } from "../../domain/timestamp.js";
import { serve } from "../endpoint.js";
import { reportToWire } from "../wire/report.js";
import type { OperatorPorts } from "./operator-ports.js";
import { listed } from "./page.js";

const toWire = (scenario: Scenario, now: Date): operator.ScenarioRun => ({
  id: scenario.id,
  scenario_type: scenario.type,
  name: scenario.name,
  speed: scenario.speed,
  state: isFinal(scenario, now) ? "final" : "running",
  created_at: formatTimestamp(scenario.createdAt),
  final_at: formatTimestamp(scenario.replacedAt ?? finalAt(scenario)),
});

export const scenarioRoutes = (app: FastifyInstance, { stores, clock, sandbox }: OperatorPorts): void => {
  serve(app, operator.listAccountScenarios, async ({ params, query }) => {
    if ((await stores.accounts.find(params.id)) === null) return notFound("account");
    const now = clock.now();
    return listed(
      query,
      (page) => sandbox.scenarios.list(params.id, page),
      (scenario) => toWire(scenario, now),
    );
  });
  serve(app, operator.getScenarioReport, async ({ params }) => {
    const scenario = await sandbox.scenarios.find(params.id);
    return scenario === null ? notFound("scenario") : reportToWire(await sandbox.reportOf(scenario));
  });
};
