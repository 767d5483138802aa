// The linter's configuration: .oxlintrc.json plus the rules of the service's modules.
import { readFileSync } from "node:fs";
import { moduleRules } from "./scripts/modules.mjs";

const { $schema: _, overrides, ...base } = JSON.parse(readFileSync(new URL(".oxlintrc.json", import.meta.url), "utf8"));

export default { ...base, overrides: [...overrides, ...moduleRules] };
