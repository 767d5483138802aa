import type { Manager } from "../../access/operations/caller.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, type Refusal, type Result, tooMany } from "../../platform/refusal.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { ImportedMeterData } from "../domain/meter-data.js";
import type { MeterDataPorts } from "./import-ports.js";
import { profileOf } from "./import-profiles.js";
import { partsOf } from "./imported-readings.js";
import { keepMapping } from "./keep-mapping.js";
import { NO_PROFILE } from "./mapping-profile.js";
import { type MeterDataFile, type MeterDataPlan, planMeterData } from "./plan-meter-data.js";

const NAMED_FAULTS = 5;
/** Longer transactions are rolled back: after two minutes late notes count as abandoned. */
const LONGEST_MS = 90_000;
const LATER_SECONDS = 60;

/** What the import of a file would do, with its faults; nothing is stored. */
export const previewMeterData = async (
  ports: MeterDataPorts,
  { within }: Manager,
  siteId: string,
  file: MeterDataFile,
): Promise<Result<MeterDataPlan>> => {
  const site = await ports.stores.sites.find(siteId, within);
  return site === null ? notFound("site") : planMeterData(ports, site, file);
};

/** Stores the intervals of a file: all of them or none. */
export const importMeterData = async (
  ports: MeterDataPorts,
  { actor, within }: Manager,
  siteId: string,
  file: MeterDataFile,
): Promise<Result<MeterDataPlan>> => {
  const { importing, clock, stores, transact, newId } = ports;
  const site = await stores.sites.find(siteId, within);
  if (site === null) return notFound("site");
  await importing.checkDisk();
  const plan = await planMeterData(ports, site, file);
  if (isRefusal(plan)) return plan;
  if (plan.faultCount > 0) return refuseFaults(plan);
  const { saveAs } = file.profiles;
  const saved = saveAs === null ? null : profileOf(plan.table, saveAs);
  if (isRefusal(saved)) return saved;
  const beganMs = clock.now().getTime();
  // Noted before they are stored, like uploads: no crash in between hides them from measurement.
  const settle = await importing.late.note(plan.readings);
  const stored = await transact(async (within) => {
    for (const part of partsOf(plan.readings)) {
      await within.readings.store(part);
      file.signal.throwIfAborted();
      if (clock.now().getTime() - beganMs > LONGEST_MS) return tooSlow();
    }
    const subject = { id: site.id, accountId: site.accountId };
    const after = imported(site, plan, file);
    const at = clock.now();
    await within.audit.append({ actor, at }, "meter_data.import", subject, { after });
    // Last: it locks the account until the end.
    const kept =
      saved === null ? null : await keepMapping(within, { accountId: site.accountId, actor, at, newId }, saved);
    return isRefusal(kept) ? kept : plan;
  });
  if (isRefusal(stored)) return stored;
  await settle?.();
  importing.noteStored(plan.readings.count);
  return stored;
};

const tooSlow = (): Refusal =>
  tooMany("the database is too busy to store the file in time, nothing was imported", LATER_SECONDS);

const refuseFaults = ({ faults, faultCount, profile }: MeterDataPlan): Refusal => {
  const named = faults.slice(0, NAMED_FAULTS).map(({ line, message }) => `line ${line}: ${message}`);
  const more = faultCount > named.length ? [`and ${faultCount - named.length} more`] : [];
  const by =
    profile?.chosenBy === "header"
      ? `. The file is read by the mapping profile "${quote(profile.name)}", which has its header; mapping_profile=${NO_PROFILE} has its columns guessed`
      : "";
  return invalid(
    `nothing was imported; ${[...named, ...more].join("; ")}${by}. Send the file with dry_run=true for the whole list`,
  );
};

const imported = (
  site: Site,
  { format, series, readings }: MeterDataPlan,
  { leavesOutEstimated }: MeterDataFile,
): ImportedMeterData => {
  const stored = series.filter(({ meter }) => meter !== null);
  const starts = stored.flatMap(({ summary }) => summary.startMs ?? []);
  const ends = stored.flatMap(({ summary }) => summary.endMs ?? []);
  return {
    siteId: site.id,
    format,
    meterIds: [...new Set(stored.flatMap(({ meter }) => meter?.id ?? []))],
    intervals: readings.count,
    estimatedIntervals: leavesOutEstimated ? 0 : stored.reduce((sum, { summary }) => sum + summary.estimated, 0),
    start: new Date(Math.min(...starts)),
    end: new Date(Math.max(...ends)),
  };
};
