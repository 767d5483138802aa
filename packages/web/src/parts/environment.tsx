import type { operator } from "@curtail/contract";
import { Badge } from "../ui/badge.js";

export type EnvironmentName = operator.OperatorWebhook["environment"];

/** Production and the sandbox must not be mistaken for each other. */
export const Environment = ({ of }: { readonly of: EnvironmentName }) =>
  of === "sandbox" ? <Badge tone="warn">Sandbox</Badge> : <Badge tone="accent">Production</Badge>;
