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
import { closedAt, isFinal, judge, type Point, type Report, type RunJudgement } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import type { ScenarioPorts, ScenarioStores } from "./scenario-service.js";

/** Readings of current runs, by scenario. */
interface HeldReadings {
  isHeld(scenarioId: string): boolean;
  pointsOf(scenarioId: string): ReadonlyMap<string, readonly Point[]>;
  drop(scenarioId: string): void;
  scenarios(): readonly Scenario[];
}

interface ReportPorts extends ScenarioPorts {
  readonly readings: HeldReadings;
}

/** The report of a run; once final, it is stored, and its readings are dropped (G44). */
export const reportOf = async (ports: ReportPorts, scenario: Scenario): Promise<Report> => {
  const { scenarios, clock, readings } = ports;
  const { id, type } = scenario;
  // A concurrent look may store the report and drop the readings; this one uses those from before.
  const before = readings.pointsOf(id);
  const notices = await scenarios.noticesOf(scenario);
  const kept = await scenarios.criteriaOf(id);
  if (kept !== null) return { id, type, state: "final", criteria: kept, notices };
  const [firstReads, answered] = [await scenarios.firstReadsOf(id), await scenarios.answeredOf(scenario)];
  const points = readings.isHeld(id) ? readings.pointsOf(id) : before;
  const report = judge({ scenario, firstReads, answered, points }, clock.now());
  // Only the process that holds the readings stores the result: others know less.
  if (report.state === "final" && readings.isHeld(id)) {
    await store(ports, scenario, report);
    readings.drop(id);
  }
  return { ...report, notices };
};

const store = ({ transactScenario, clock, newId }: ReportPorts, scenario: Scenario, { criteria }: RunJudgement) =>
  transactScenario(async (stores) => {
    const isFirst = await stores.scenarios.saveCriteria(scenario.id, criteria);
    if (isFirst) await certify(stores, scenario, { now: clock.now(), newId });
  });

/** Judges the runs that became final, so that their readings are released. */
export const closeRuns = async (ports: ReportPorts): Promise<void> => {
  for (const { id } of ports.readings.scenarios()) {
    // Read again: another may have replaced it.
    const scenario = await ports.scenarios.find(id);
    if (scenario === null) ports.readings.drop(id);
    else if (isFinal(scenario, ports.clock.now())) await reportOf(ports, scenario);
  }
};

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
