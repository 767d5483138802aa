import type { Clock } from "../../platform/clock.js";
import { isFinal, judge, type Point, type Report } from "../domain/report.js";
import type { Scenario } from "../domain/scenario.js";
import type { ScenarioStore } from "./scenario-service.js";

/** Readings of the runs under way, by scenario. */
export interface HeldReadings {
  isHeld(scenarioId: string): boolean;
  pointsOf(scenarioId: string): ReadonlyMap<string, readonly Point[]>;
  drop(scenarioId: string): void;
  scenarios(): readonly Scenario[];
}

export interface ReportPorts {
  readonly scenarios: ScenarioStore;
  readonly clock: Clock;
  readonly readings: HeldReadings;
}

/** The judgement of a run; once it is final it is kept, and the readings that it rests on are dropped (G44). */
export const reportOf = async ({ scenarios, clock, readings }: ReportPorts, scenario: Scenario): Promise<Report> => {
  const { id, type } = scenario;
  // Another look may keep the report and drop the readings meanwhile; this one goes by what there was.
  const before = readings.pointsOf(id);
  const kept = await scenarios.criteriaOf(id);
  if (kept !== null) return { id, type, state: "final", criteria: kept };
  const [firstReads, answered] = [await scenarios.firstReadsOf(id), await scenarios.answeredOf(scenario)];
  const points = readings.isHeld(id) ? readings.pointsOf(id) : before;
  const report = judge({ scenario, firstReads, answered, points }, clock.now());
  // Only who holds the readings keeps what they show: another process knows less.
  if (report.state === "final" && readings.isHeld(id)) {
    await scenarios.saveCriteria(id, report.criteria);
    readings.drop(id);
  }
  return report;
};

/** Judges the runs that became final, so that their readings are held no longer. */
export const closeRuns = async (ports: ReportPorts): Promise<void> => {
  for (const { id } of ports.readings.scenarios()) {
    // As it is now: another may have taken its place.
    const scenario = await ports.scenarios.find(id);
    if (scenario === null) ports.readings.drop(id);
    else if (isFinal(scenario, ports.clock.now())) await reportOf(ports, scenario);
  }
};
