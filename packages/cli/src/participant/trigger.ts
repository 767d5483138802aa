import {
  type Criterion,
  ErrorResponse,
  isPassing,
  type Participant,
  type Scenario,
  type ScenarioNotice,
  type ScenarioReport,
  type ScenarioRequest,
} from "@curtail/client";
import { Argument, type Command, InvalidArgumentError } from "commander";
import { CommandFailure, EXIT_INTERRUPTED, usageFault } from "../admin-io.js";
import { harmless, type Style } from "../human-form.js";
import { duration, optionWith } from "../option-values.js";
import type { Printer } from "../printer.js";
import { formatTimestamp } from "../timestamp.js";
import { localTime } from "./dispatch-form.js";
import { environmentOf } from "./environment-kind.js";
import { Outage } from "./outage.js";
import { onRun, participantCommand, type Run, unsuccessful, withExamples } from "./participant-call.js";
import { EXIT_REFUSED } from "./participant-failure.js";
import type { ParticipantIo } from "./participant-io.js";
import { untilInterrupted } from "./until-interrupted.js";

/** `custom` scenarios have no arguments that fit a command line. */
const SCENARIOS = ["basic", "ancillary_services", "back_to_back", "update", "cancellation"] as const;

interface TriggerOptions {
  readonly speed: number;
  /** Milliseconds, as are the next two; before `speed`. */
  readonly noticeIn: number;
  readonly startIn: number;
  readonly for: number;
  readonly site?: string;
  readonly commitment: number;
  readonly wait: boolean;
}

export const triggerCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "trigger",
    "Run a scenario in the sandbox and judge, while it runs, how your system follows it.",
  )
    .addArgument(new Argument("<scenario>", "What happens.").choices(SCENARIOS))
    .option("--speed <factor>", "How much faster than real time, up to 600.", speed, 120)
    .addOption(
      optionWith("--notice-in <duration>", {
        description: "Time until the notice, before --speed.",
        parse: duration,
        standard: "10m",
      }),
    )
    .addOption(
      optionWith("--start-in <duration>", {
        description: "Time until the start, before --speed.",
        parse: duration,
        standard: "30m",
      }),
    )
    .addOption(
      optionWith("--for <duration>", {
        description: "Length of the dispatch, before --speed.",
        parse: duration,
        standard: "40m",
      }),
    )
    .option("--site <site-id>", "Site to dispatch. Default: the first of the sandbox.")
    .option("--commitment <kw>", "What the site commits to, in kW.", kilowatts, 100)
    .option("--no-wait", "Start it, and do not wait for the report.");
  withExamples(command, "curtail trigger update --speed 120", "curtail trigger cancellation --commitment 50 --json");
  return onRun<TriggerOptions>(io, command, trigger);
};

const FASTEST = 600;

const speed = (text: string): number => {
  const factor = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (factor < 1 || factor > FASTEST) throw new InvalidArgumentError(`It must be a number from 1 to ${FASTEST}.`);
  return factor;
};

const kilowatts = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of kW.");
  return Number(text);
};

const trigger = async (run: Run<TriggerOptions>): Promise<void> => {
  const { io, options, print, connect, access } = run;
  const participant = await connect();
  if (environmentOf(access()) === "production")
    throw usageFault(`${access().url} is not a sandbox; log in to the sandbox with its own address and key`);
  const { sites } = await participant.listSites();
  const site = sites.find(({ id }) => options.site === undefined || id === options.site);
  if (site === undefined)
    throw usageFault(
      `the sandbox has no site ${options.site ?? ""}; there are ${sites.map(({ id }) => id).join(", ")}`,
    );
  const scenario = await participant.createScenario(scenarioOf(run, site.id));
  if (!options.wait) return print.line(print.isJson ? JSON.stringify(scenario) : scenario.id);
  announce(run, scenario);
  const patient = await connect({ retry: { attempts: 1 } });
  let report: ScenarioReport | null = null;
  const ended = await untilInterrupted(io, async (signal) => {
    report = await judged(run, patient, { id: scenario.id, signal });
  });
  if (ended === "interrupted" || report === null)
    throw new CommandFailure(`stopped; the scenario ${scenario.id} runs on`, EXIT_INTERRUPTED);
  conclude(run, report);
};

const scenarioOf = ({ io, args, options }: Run<TriggerOptions>, siteId: string): ScenarioRequest => {
  const nowMs = Math.floor(io.now().getTime() / 1000) * 1000;
  const at = (ms: number): string => formatTimestamp(nowMs + ms);
  return {
    scenario_type: (args[0] ?? "basic") as ScenarioRequest["scenario_type"],
    speed: options.speed,
    notification_time: at(options.noticeIn),
    start_time: at(options.startIn),
    end_time: at(options.startIn + options.for),
    sites: [{ id: siteId, commitment: options.commitment }],
    program: { name: "Trigger", timezone: "UTC", market: "", program_type: "capacity" },
  };
};

const announce = ({ io, options, print }: Run<TriggerOptions>, { id, dispatches }: Scenario): void => {
  const notice = new Date(io.now().getTime() + options.noticeIn / options.speed).toISOString();
  print.note(`${id} runs. The notice comes at ${localTime(notice)}.`);
  for (const dispatch of dispatches) {
    const end = dispatch.end_time === null ? "further notice" : localTime(dispatch.end_time);
    print.note(`${dispatch.id}: from ${localTime(dispatch.start_time)} until ${end}`);
  }
};

const LOOK_MS = 500;
const LOOK_AFTER_FAILURE_MS = 2000;

/** Prints each criterion when it is decided; returns the final report. */
const judged = async (
  run: Run<TriggerOptions>,
  participant: Participant,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<ScenarioReport> => {
  const { io, print, access } = run;
  const outage = new Outage(print, access());
  const said = new Map<string, string>();
  for (;;) {
    const report = await reportNow(participant, id, { signal, outage });
    if (report !== null) tell(print, report, said);
    if (report?.state === "final") return report;
    await io.wait(report === null ? LOOK_AFTER_FAILURE_MS : LOOK_MS, signal);
    signal.throwIfAborted();
  }
};

const GONE = "the scenario is gone: the public key of the sandbox keeps none, or somebody deleted it";

/** Null while the service is away: the scenario runs on. */
const reportNow = async (
  participant: Participant,
  id: string,
  { signal, outage }: { readonly signal: AbortSignal; readonly outage: Outage },
): Promise<ScenarioReport | null> => {
  try {
    const report = await participant.reportScenario({ id }, { signal });
    outage.ended();
    return report;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ErrorResponse && error.status === 404)
      throw new CommandFailure(GONE, EXIT_REFUSED, { cause: error });
    if (!isPassing(error)) throw error;
    outage.began(error, "the scenario runs on; waiting for its report");
    return null;
  }
};

const tell = (print: Printer, { state, criteria, notices }: ScenarioReport, said: Map<string, string>): void => {
  // Services of earlier versions do not list them.
  for (const notice of notices ?? []) {
    const { dispatch_id, modification_number, form, detail } = notice;
    const key = `${form} ${dispatch_id} ${modification_number} ${detail.replace(/: [^:]*$/, "")}`;
    if (said.get(key) === detail) continue;
    said.set(key, detail);
    if (!print.isJson) print.line(noticeLine(notice, print.style));
  }
  for (const criterion of criteria) {
    const { name, dispatch_id, site_id, result } = criterion;
    const key = `${name} ${dispatch_id} ${site_id ?? ""}`;
    if (said.get(key) === result || (result === "not_seen" && state === "running")) continue;
    said.set(key, result);
    if (!print.isJson) print.line(criterionLine(criterion, print.style));
  }
};

/** `passed    curtailed_in_time  100 kW; at most 110 kW was to be drawn` */
const criterionLine = ({ name, result, detail }: Criterion, style: Style): string => {
  const color = { passed: style.good, failed: style.bad, not_seen: style.warning }[result];
  return `${color(result.replace("_", " ").padEnd(8))}  ${name.padEnd(17)}  ${harmless(detail)}`;
};

const FORMS = { webhook: "webhook", get: "GET", openadr2: "OpenADR 2.0a", openadr3: "OpenADR 3.1" } as const;

/** `received  OpenADR 3.1        #0 of dis_… at 13:00:05` */
const noticeLine = (notice: ScenarioNotice, style: Style): string => {
  const { dispatch_id, modification_number, form, at, accepted, detail } = notice;
  const outcome = accepted ? style.good("received") : style.bad("refused ");
  const where = detail === "" ? "" : `, ${harmless(detail)}`;
  return `${outcome}  ${FORMS[form].padEnd(17)}  #${modification_number} of ${dispatch_id} at ${localTime(at)}${where}`;
};

const conclude = ({ print }: Run<TriggerOptions>, report: ScenarioReport): void => {
  if (print.isJson) print.line(JSON.stringify(report));
  const missed = report.criteria.filter(({ result }) => result !== "passed").length;
  if (missed > 0) throw unsuccessful(`${missed} of ${report.criteria.length} criteria did not pass`);
  if (!print.isJson) print.line("All criteria passed.");
};
