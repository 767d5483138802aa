import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

export type EnvironmentName = operator.OperatorWebhook["environment"];

export const environmentWords: Readonly<Record<EnvironmentName, string>> = {
  production: say("Production"),
  sandbox: say("Sandbox"),
};
