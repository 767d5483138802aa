import { isFinal, type Judgement, judge, type Point, type Report } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import { certify } from "./certify.js";
import type { ScenarioPorts } from "./scenario-service.js";

/** Readings of current runs, by scenario. */
export interface HeldReadings {
  isHeld(scenarioId: string): boolean;
  pointsOf(scenarioId: string): ReadonlyMap<string, readonly Point[]>;
  drop(scenarioId: string): void;
  scenarios(): readonly Scenario[];
}

export interface ReportPorts extends ScenarioPorts {
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

const store = ({ transactScenario, clock, newId }: ReportPorts, scenario: Scenario, { criteria }: Judgement) =>
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
