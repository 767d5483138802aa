import { type Dispatch, type DispatchChange, watchDispatches } from "@curtail/client";
import type { Command } from "commander";
import { harmless, table } from "../human-form.js";
import { optionWith, pollInterval } from "../option-values.js";
import { commitmentOf, DISPATCH_COLUMNS, dispatchRow, localTime } from "./dispatch-form.js";
import { onRun, participantCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";
import { untilInterrupted } from "./until-interrupted.js";

interface DispatchesOptions {
  readonly watch?: true;
  /** Milliseconds. */
  readonly every: number;
}

export const dispatchesCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(io, "dispatches", "List dispatches of the last 24 hours and ahead, or show one.")
    .argument("[dispatch-id]", "Show this dispatch only, of any age.")
    .option("--watch", "Stay, and print each new dispatch, change, cancellation and end. Ctrl-C stops.")
    .addOption(
      optionWith("--every <duration>", {
        description: "Time between two polls of --watch.",
        parse: pollInterval,
        standard: "10s",
      }),
    );
  withExamples(
    command,
    "curtail dispatches",
    "curtail dispatches dis_dxk9avwtc72x9f4t --json",
    'curtail dispatches --watch --json | while read -r change; do ./curtail-site "$change"; done',
  );
  return onRun<DispatchesOptions>(io, command, dispatches);
};

const dispatches = async (run: Run<DispatchesOptions>): Promise<void> => {
  const { io, args, print, connect, options } = run;
  if (options.watch === true) return watch(run);
  const participant = await connect();
  const [id] = args;
  const reply = id === undefined ? await participant.listDispatches() : await participant.getDispatch({ id });
  if (print.isJson) return print.line(JSON.stringify(reply));
  const found: readonly Dispatch[] = "dispatches" in reply ? reply.dispatches : [reply];
  if (found.length === 0) return print.note("No dispatches in the last 24 hours and none ahead.");
  const nowMs = io.now().getTime();
  print.text(
    table(
      found.map((each) => dispatchRow(each, nowMs)),
      DISPATCH_COLUMNS,
      print.style,
    ),
  );
  if (id !== undefined)
    print.text(
      `\n${table(
        (found[0]?.sites ?? []).map((site) => ({ ...site })),
        SITE_COLUMNS,
        print.style,
      )}`,
    );
};

const SITE_COLUMNS = ["id", "name", "customer_location_id", "commitment"];

const watch = async ({ io, args, print, connect, options }: Run<DispatchesOptions>): Promise<void> => {
  const participant = await connect();
  const [only] = args;
  const onFailure = (error: Error) => print.note(`curtail: ${error.message}; trying again`);
  await untilInterrupted(io, async (signal) => {
    for await (const change of watchDispatches(participant, { intervalMs: options.every, signal, onFailure }))
      if (only === undefined || change.dispatch.id === only)
        print.line(print.isJson ? JSON.stringify(change) : changeLine(change));
  });
};

/** `created dis_… from … until …: 2 sites by 140 kW` */
const changeLine = ({ type, dispatch }: DispatchChange): string => {
  const { id, start_time, end_time, program, sites } = dispatch;
  const commitment = commitmentOf(dispatch);
  const until = end_time === null ? "until further notice" : `until ${localTime(end_time)}`;
  const count = `${sites.length} ${sites.length === 1 ? "site" : "sites"}`;
  const howMuch = commitment === null ? "as much as possible" : `by ${commitment} kW`;
  return `${type} ${id} from ${localTime(start_time)} ${until}, ${harmless(program.name)}: ${count} ${howMuch}`;
};
