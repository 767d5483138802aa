import type { Command } from "commander";
import { usageFault } from "../admin-io.js";
import { thing } from "../human-form.js";
import { MOMENT_FORMS } from "../moment.js";
import { duration, moment } from "../option-values.js";
import { formatTimestamp, parseTimestamp } from "../timestamp.js";
import { onRun, participantCommand, plainCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";

interface ScheduleOptions {
  readonly start: string;
  readonly end?: string;
  /** Milliseconds. */
  readonly for?: number;
}

export const scheduleCommand = (io: ParticipantIo): Command => {
  const time = moment(io.now);
  const set = participantCommand(io, "set", "Block a site from new dispatches for a period.")
    .argument("<site-id>", "The site.")
    .requiredOption("--start <time>", `Start of the block: ${MOMENT_FORMS}.`, time)
    .option("--end <time>", "End of the block.", time)
    .option("--for <duration>", "Length of the block in place of its end, for example 2h or 3d.", duration);
  withExamples(set, "curtail schedule set site_dw7k1ys0h2hqr4zm --start 2026-07-02T00:00:00-05:00 --for 1d");
  const schedule = plainCommand(
    io,
    "schedule",
    "Availability of sites. Blocks cannot be listed or removed with an API key.",
  );
  withExamples(schedule, "curtail schedule set site_dw7k1ys0h2hqr4zm --start +1h --for 2h");
  return schedule.addCommand(onRun<ScheduleOptions>(io, set, block));
};

const block = async ({ args, options, print, connect }: Run<ScheduleOptions>): Promise<void> => {
  const { start, end, for: lengthMs } = options;
  if ((end === undefined) === (lengthMs === undefined)) throw usageFault("give either --end or --for");
  const end_time = end ?? formatTimestamp(parseTimestamp(start) + (lengthMs ?? 0));
  const change = { site_id: args[0] ?? "", available: false as const, start_time: start, end_time };
  const stored = await (await connect()).changeSchedule(change);
  if (print.isJson) return print.line(JSON.stringify(stored));
  print.text(thing({ ...stored }, print.style));
};
