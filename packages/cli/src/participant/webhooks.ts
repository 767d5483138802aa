import type { Webhook, WebhookEvent } from "@curtail/client";
import { type Command, Option } from "commander";
import { table } from "../human-form.js";
import type { Printer } from "../printer.js";
import { onRun, participantCommand, plainCommand, withExamples } from "./participant-call.js";
import type { ParticipantIo } from "./participant-io.js";

const EVENTS = ["dispatch.create", "dispatch.update"] as const;

export const webhooksCommand = (io: ParticipantIo): Command => {
  const webhooks = withExamples(
    plainCommand(io, "webhooks", "List, add and remove webhooks."),
    "curtail webhooks list",
    "curtail webhooks add https://dr.example.com/hook",
  );
  for (const each of [listed, added, removed]) webhooks.addCommand(each(io));
  return webhooks;
};

const listed = (io: ParticipantIo): Command =>
  onRun(io, listCommand(io), async ({ print, connect }) => {
    const reply = await (await connect()).listWebhooks();
    if (print.isJson) return print.line(JSON.stringify(reply));
    if (reply.webhooks.length === 0) return print.note("no webhooks");
    show(print, reply.webhooks);
  });

const listCommand = (io: ParticipantIo): Command =>
  withExamples(
    participantCommand(io, "list", "List the webhooks of the account."),
    "curtail webhooks list",
    "curtail webhooks list --json | jq -r '.webhooks[].url'",
  );

const added = (io: ParticipantIo): Command => {
  const command = participantCommand(io, "add", "Register a webhook; the service sends it a test request first.")
    .argument("<url>", "Public https address that is notified.")
    .addOption(new Option("--event <event...>", "Events to be notified of. Default: both.").choices(EVENTS));
  withExamples(command, "curtail webhooks add https://dr.example.com/hook");
  return onRun<{ readonly event?: ReadonlyArray<WebhookEvent["name"]> }>(
    io,
    command,
    async ({ args, options, print, connect }) => {
      const events = (options.event ?? EVENTS).map((name) => ({ name }));
      const webhook = await (await connect()).createWebhook({ url: args[0] ?? "", events });
      if (print.isJson) return print.line(JSON.stringify(webhook));
      show(print, [webhook]);
      print.note("The secret that signs its requests is on the dashboard, under Webhooks.");
    },
  );
};

const removed = (io: ParticipantIo): Command => {
  const command = participantCommand(io, "remove", "Delete a webhook for good.").argument(
    "<webhook-id>",
    "The webhook.",
  );
  withExamples(command, "curtail webhooks remove wh_s3vq1zc8m2xk7t4y");
  return onRun(io, command, async ({ args, print, connect }) => {
    const webhook = await (await connect()).deleteWebhook({ id: args[0] ?? "" });
    if (print.isJson) return print.line(JSON.stringify(webhook));
    print.line(`${webhook.id} removed`);
  });
};

const show = (print: Printer, webhooks: readonly Webhook[]): void => {
  const rows = webhooks.map(({ id, url, events }) => ({ id, url, events: events.map(({ name }) => name) }));
  print.text(table(rows, ["id", "url", "events"], print.style));
};
