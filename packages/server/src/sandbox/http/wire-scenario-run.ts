import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { IntegrationCertificate } from "../domain/certificate.js";
import { closedAt, isFinal } from "../domain/report.js";
import type { NotedAct, NotedScenario } from "../operations/scenario-service.js";

const actToWire = ({ what, dispatchId, number, count, firstAt, lastAt }: NotedAct) => ({
  what,
  dispatch_id: dispatchId === "" ? null : dispatchId,
  modification_number: number,
  first_at: formatTimestamp(firstAt),
  last_at: formatTimestamp(lastAt),
  count,
});

/** A scenario with what its participant did. */
export const runToWire = ({ scenario, acts }: NotedScenario, now: Date): operator.ScenarioRun => ({
  id: scenario.id,
  scenario_type: scenario.type,
  name: scenario.name,
  speed: scenario.speed,
  state: isFinal(scenario, now) ? "final" : "running",
  created_at: formatTimestamp(scenario.createdAt),
  final_at: formatTimestamp(closedAt(scenario)),
  acts: acts.map(actToWire),
});

export const certificateToWire = ({
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
