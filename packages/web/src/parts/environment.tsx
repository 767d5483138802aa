import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Badge } from "../ui/badge.js";
import { Select } from "../ui/field.js";

export type EnvironmentName = operator.OperatorWebhook["environment"];

/** Marks the sandbox, so that nobody mistakes it for production. */
export const Environment = ({ of }: { readonly of: EnvironmentName }) =>
  of === "sandbox" ? <Badge tone="warn">{say("Sandbox")}</Badge> : <Badge tone="accent">{say("Production")}</Badge>;

/** A select for the environment, sent as `environment`. */
export const EnvironmentField = ({
  value,
  onChange,
  hint,
}: {
  readonly value: EnvironmentName;
  readonly onChange: (chosen: EnvironmentName) => void;
  readonly hint?: string;
}) => (
  <Select
    label={say("Environment")}
    choices={[
      { value: "production", label: say("Production") },
      { value: "sandbox", label: say("Sandbox") },
    ]}
    name="environment"
    value={value}
    onChange={({ target }) => onChange(target.value === "sandbox" ? "sandbox" : "production")}
    hint={hint}
  />
);
