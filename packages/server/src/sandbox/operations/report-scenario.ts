import { REQUIRED_SCENARIOS } from "../../oversight/domain/certified.js";
import type { NewId } from "../../platform/clock.js";
import {
  certifyingRuns,
  channelsOf,
  type FinalRun,
  type IntegrationCertificate,
  isRequired,
  type Pass,
} from "../domain/certificate.js";
import { closedAt, finalAt, firstLookAt, judge, type Report, type RunJudgement } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import type { SandboxReadings, ScenarioPorts, ScenarioStores } from "./scenario-service.js";

export interface RunReportPorts extends ScenarioPorts {
  readonly readings: SandboxReadings;
}

/** The report of a run; once final, it is stored (G44). */
export const reportOf = async (ports: RunReportPorts, scenario: Scenario): Promise<Report> => {
  const { scenarios, clock, readings } = ports;
  const { id, type } = scenario;
  // First: once another look has stored the report, they may be forgotten.
  const points = await readings.of(scenario.accountId, {
    from: firstLookAt(scenario),
    until: finalAt(scenario),
    sentBy: closedAt(scenario),
  });
  const notices = await scenarios.noticesOf(scenario);
  const kept = await scenarios.criteriaOf(id);
  if (kept !== null) return { id, type, state: "final", criteria: kept, notices };
  const [firstReads, answered] = [await scenarios.firstReadsOf(id), await scenarios.answeredOf(scenario)];
  const report = judge({ scenario, firstReads, answered, points }, clock.now());
  if (report.state === "final") await store(ports, scenario, report);
  return { ...report, notices };
};

const store = ({ transactScenario, clock, newId }: RunReportPorts, scenario: Scenario, { criteria }: RunJudgement) =>
  transactScenario(async (stores) => {
    const isFirst = await stores.scenarios.saveCriteria(scenario.id, criteria);
    if (isFirst) await certify(stores, scenario, { now: clock.now(), newId });
  });

interface Certifying {
  readonly now: Date;
  readonly newId: NewId;
}

/**
 * Certifies the account of a scenario whose report was just stored, if it now has passed every required one since its
 * last certificate. In the transaction of the report: neither is there without the other.
 */
const certify = async (
  stores: ScenarioStores,
  { accountId, type }: Scenario,
  { now, newId }: Certifying,
): Promise<void> => {
  if (!isRequired(type)) return;
  // Two scenarios may become final at once.
  await stores.accounts.lock(accountId);
  const last = await stores.certificates.newestOf(accountId);
  const runs = certifyingRuns(await stores.scenarios.finalSince(accountId, REQUIRED_SCENARIOS, lastPassed(last)));
  if (runs === null) return;
  const passes = await Promise.all(runs.map(async (run) => passOf(stores, run)));
  const certificate = { id: newId("cer"), accountId, certifiedAt: now, passes };
  await stores.certificates.insert(certificate);
  await stores.audit.append({ actor: "service", at: now }, "account.certify", certificate, { after: certificate });
};

/** When the last of its runs ended: the next may have begun before the certificate was stored. */
const lastPassed = (certificate: IntegrationCertificate | null): Date | null =>
  certificate === null ? null : new Date(Math.max(...certificate.passes.map(({ passedAt }) => passedAt.getTime())));

const passOf = async ({ scenarios }: ScenarioStores, { scenario, keyId }: FinalRun): Promise<Pass> => {
  const answered = await scenarios.answeredOf(scenario);
  const firstReads = await scenarios.firstReadsOf(scenario.id);
  const { id: scenarioId, type } = scenario;
  const channels = channelsOf({ answered, firstReads });
  return { scenarioId, type, passedAt: closedAt(scenario), channels, keyId };
};
