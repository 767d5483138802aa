import { say } from "@curtail/words/page";
import { Badge } from "../ui/badge.js";
import { Select } from "../ui/field.js";
import { type EnvironmentName, environmentWords } from "./environment-words.js";

export type { EnvironmentName } from "./environment-words.js";

/** Marks the sandbox, so that nobody mistakes it for production. */
export const Environment = ({ of }: { readonly of: EnvironmentName }) => (
  <Badge tone={of === "sandbox" ? "warn" : "accent"}>{environmentWords[of]}</Badge>
);

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
    choices={Object.entries(environmentWords).map(([value, label]) => ({ value, label }))}
    name="environment"
    value={value}
    onChange={({ target }) => onChange(target.value === "sandbox" ? "sandbox" : "production")}
    hint={hint}
  />
);
