import type { Command } from "commander";
import { table } from "../human-form.js";
import { onRun, participantCommand, type Run, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";

export const sitesCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(io, "sites", "List the sites of the account and their meters, with the ids.");
  withExamples(command, "curtail sites", "curtail sites --json | jq -r '.sites[].meters[].id'");
  return onRun(io, command, sites);
};

const COLUMNS = ["site", "name", "customer_location_id", "meter", "meter_name"] as const;

const sites = async ({ print, connect }: Run<object>): Promise<void> => {
  const reply = await (await connect()).listSites();
  if (print.isJson) return print.line(JSON.stringify(reply));
  if (reply.sites.length === 0) return print.note("no sites; the operator creates them");
  const rows = reply.sites.flatMap(({ id, name, customer_location_id, meters }) => {
    const site = { site: id, name, customer_location_id };
    if (meters.length === 0) return [site];
    return meters.map((meter) => ({ ...site, meter: meter.id, meter_name: meter.name }));
  });
  print.text(table(rows, COLUMNS, print.style));
};
