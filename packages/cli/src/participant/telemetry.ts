import { type MeterReadings, readTelemetry } from "@curtail/client";
import { type Command, Option } from "commander";
import { CommandFailure, EXIT_INTERRUPTED, usageFault } from "../admin-io.js";
import { MOMENT_FORMS } from "../moment.js";
import { moment, optionWith } from "../option-values.js";
import { parseTimestamp } from "../timestamp.js";
import { onRun, participantCommand, plainCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";
import { untilInterrupted } from "./until-interrupted.js";

const INTERVALS = ["30", "60", "300", "900", "1800", "3600", "21600"] as const;

interface TelemetryOptions {
  readonly start: string;
  readonly end: string;
  readonly interval: (typeof INTERVALS)[number];
  readonly csv?: true;
}

export const telemetryCommand = (io: ParticipantIo): Command => {
  const time = moment(io.now);
  const get = participantCommand(io, "get", "Print stored readings, for any number of sites and any period.")
    .argument("[site-id...]", "Sites. Default: all of the account.")
    .addOption(
      optionWith("--start <time>", {
        description: `Start of the period, exclusive: ${MOMENT_FORMS}.`,
        parse: time,
        standard: "-1d",
      }),
    )
    .addOption(
      optionWith("--end <time>", { description: "End of the period, inclusive.", parse: time, standard: "now" }),
    )
    .addOption(
      new Option("--interval <seconds>", "Length of the intervals; a coarser one needs readings of half of it.")
        .choices(INTERVALS)
        .default("30"),
    )
    .option("--csv", "Print CSV that `curtail upload` reads. --json prints a line per reading, which it reads, too.");
  withExamples(
    get,
    "curtail telemetry get --start -1h",
    "curtail telemetry get site_dw7k1ys0h2hqr4zm --start 2026-07-01T00:00:00Z --end 2026-08-01T00:00:00Z --csv > july.csv",
  );
  const noun = plainCommand(io, "telemetry", "Read stored telemetry.");
  withExamples(noun, "curtail telemetry get --start -1h");
  return noun.addCommand(onRun<TelemetryOptions>(io, get, telemetry));
};

const telemetry = async (run: Run<TelemetryOptions>): Promise<void> => {
  const { io, args, options, print, connect } = run;
  const { start, end, interval } = options;
  if (options.csv === true && print.isJson) throw usageFault("choose --csv or --json");
  if (parseTimestamp(end) <= parseTimestamp(start)) throw usageFault("the period ends before it starts");
  const participant = await connect();
  const siteIds = args.length > 0 ? args : (await participant.listSites()).sites.map(({ id }) => id);
  const header = options.csv === true ? CSV_HEADER : HUMAN_HEADER;
  let count = 0;
  const ended = await untilInterrupted(io, async (signal) => {
    const period = { siteIds, start, end, intervalSeconds: Number(interval) as 30, signal };
    for await (const readings of readTelemetry(participant, period)) {
      if (count === 0 && !print.isJson) print.line(header);
      count += readings.readings.length;
      print.text(linesOf(readings, options, print.isJson));
    }
  });
  if (ended === "interrupted") throw new CommandFailure("stopped; the readings are not complete", EXIT_INTERRUPTED);
  if (count > 0) return;
  // A table without rows, for the program that reads it.
  if (options.csv === true) print.line(header);
  print.note("no readings in the period");
};

const CSV_HEADER = "meter_id,timestamp,interval_seconds,kw";
const HUMAN_HEADER = "meter                 end of the interval   seconds          kW";

const linesOf = ({ meter_id, readings }: MeterReadings, { csv }: TelemetryOptions, isJson: boolean): string =>
  readings
    .map(({ timestamp, interval_seconds, value }) => {
      if (isJson) return `${JSON.stringify({ meter_id, interval_seconds, timestamp, value, units: "kW" })}\n`;
      if (csv === true) return `${meter_id},${timestamp},${interval_seconds},${value}\n`;
      return `${meter_id.padEnd(20)}  ${timestamp.padEnd(20)}  ${String(interval_seconds).padStart(7)}  ${value.toFixed(3).padStart(10)}\n`;
    })
    .join("");
