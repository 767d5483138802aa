import type { Override } from "../control/override.js";
import type { OverrideCommand } from "../control/override-command.js";
import { messageOf } from "../devices/device.js";
import { iso } from "../status/status.js";
import type { Log } from "./log.js";
import { recordOverride } from "./override-record.js";
import type { SiteRunner } from "./site-runner.js";

interface Given {
  readonly command: OverrideCommand;
  readonly by: Override["by"];
  readonly atMs: number;
}

/** Takes or withdraws an override of a site, and records it in the folder; null: nowhere. */
export const takeOverride = (
  runner: SiteRunner,
  { command: { mode, who, minutes }, by, atMs }: Given,
  { folder, log }: { readonly folder: string | null; readonly log: Log },
): void => {
  const { id: site } = runner.site;
  const untilMs = minutes === null ? null : atMs + minutes * 60_000;
  const override = mode === null ? null : { mode, who, by, atMs, untilMs };
  runner.override = override;
  try {
    if (folder !== null) recordOverride(folder, { site, atMs, who, by }, override);
  } catch (error) {
    // A full disk must not keep a person from deciding.
    log.warn("the override could not be recorded", { why: messageOf(error) });
  }
  log.info(override === null ? "override withdrawn" : "override", { site, mode, who, by, until: iso(untilMs) });
};
