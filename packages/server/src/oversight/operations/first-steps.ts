import type { Clock } from "../../platform/clock.js";
import type { FirstFacts } from "../domain/first-steps.js";

export interface FirstStepsReader {
  facts(now: Date): Promise<FirstFacts>;
}

export interface FirstStepsPorts {
  readonly firstSteps: FirstStepsReader;
  readonly clock: Clock;
}
