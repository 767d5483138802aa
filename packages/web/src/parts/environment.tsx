import type { operator } from "@curtail/contract";
import { Badge } from "../ui/badge.js";
import { Select } from "../ui/field.js";

export type EnvironmentName = operator.OperatorWebhook["environment"];

/** Production and the sandbox must not be mistaken for each other. */
export const Environment = ({ of }: { readonly of: EnvironmentName }) =>
  of === "sandbox" ? <Badge tone="warn">Sandbox</Badge> : <Badge tone="accent">Production</Badge>;

/** Chooses it in a form, where it is sent as `environment`. */
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
    label="Environment"
    choices={[
      { value: "production", label: "Production" },
      { value: "sandbox", label: "Sandbox" },
    ]}
    name="environment"
    value={value}
    onChange={({ target }) => onChange(target.value === "sandbox" ? "sandbox" : "production")}
    hint={hint}
  />
);
