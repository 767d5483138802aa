import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Run = operator.ScenarioRun;

export const scenarioWords: Readonly<Record<Run["scenario_type"], string>> = {
  basic: say("One dispatch"),
  ancillary_services: say("Ancillary services at short notice"),
  back_to_back: say("Back-to-back dispatches"),
  update: say("A dispatch that changes"),
  cancellation: say("A dispatch that is cancelled"),
  custom: say("Custom course"),
};
