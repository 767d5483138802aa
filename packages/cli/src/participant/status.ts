import type { Command } from "commander";
import { thing } from "../human-form.js";
import { dispatchRow, stateOf } from "./dispatch-form.js";
import { environmentOf } from "./environment-kind.js";
import { onRun, participantCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";

export const statusCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "status",
    "Show which service and key are used, how many sites there are, and dispatches ahead.",
  );
  return onRun(io, withExamples(command, "curtail status", "curtail status --json | jq .sites"), status);
};

const status = async ({ io, access, connect, print }: Run<object>): Promise<void> => {
  const participant = await connect();
  const { url, from } = access();
  const [{ sites }, { dispatches }] = await Promise.all([participant.listSites(), participant.listDispatches()]);
  const nowMs = io.now().getTime();
  const active = dispatches.filter((each) => ["upcoming", "in_progress"].includes(stateOf(each, nowMs)));
  const summary = {
    url,
    key_from: from,
    environment: environmentOf(access()),
    sites: sites.length,
    meters: sites.reduce((sum, { meters }) => sum + meters.length, 0),
  };
  if (print.isJson) return print.line(JSON.stringify({ ...summary, dispatches: active }));
  print.text(thing({ ...summary, dispatches: active.map((each) => dispatchRow(each, nowMs)) }, print.style));
};
