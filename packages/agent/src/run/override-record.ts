import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Override } from "../control/override.js";

const NAME = "overrides.jsonl";

/** Adds a line for each override that is given, replaced or withdrawn. */
export const recordOverride = (
  folder: string,
  entry: { readonly site: string; readonly atMs: number; readonly who: string; readonly by: Override["by"] },
  override: Override | null,
): void => {
  const { site, atMs, who, by } = entry;
  const given = { mode: override?.mode ?? "none", until: iso(override?.untilMs ?? null) };
  appendFileSync(join(folder, NAME), `${JSON.stringify({ at: iso(atMs), site, who, by, ...given })}\n`, {
    mode: 0o600,
  });
};

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
