import type { operator } from "@curtail/contract";

type Run = operator.ScenarioRun;

export const scenarioWords: Readonly<Record<Run["scenario_type"], string>> = {
  basic: "One dispatch",
  ancillary_services: "Ancillary services at short notice",
  back_to_back: "Back-to-back dispatches",
  update: "A dispatch that changes",
  cancellation: "A dispatch that is cancelled",
  custom: "Custom course",
};
