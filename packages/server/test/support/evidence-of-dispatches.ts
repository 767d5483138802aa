import { createWebhook, operator } from "@curtail/contract";
import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { receiver } from "@curtail/testing/receiver";
import { ahead, newProgram } from "./dispatching.js";
import { evidenceOf, untilHappened } from "./evidence.js";
import { type Running, running } from "./running.js";

export let inbox: Mailbox;
export let service: Running;

export const prepare = async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
};

export const evidence = (dispatchId: string, query: Parameters<typeof evidenceOf>[2] = {}, on = service) =>
  evidenceOf(on, dispatchId, query);

export const untilCount = (dispatchId: string, happened: string, count: number, on = service) =>
  untilHappened(on, dispatchId, { happened, count });

export const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });
export const now = (): string => ahead(service, {});

/** An account with a webhook for both events and its own program. */
export const subscribed = async (on: Running, contacts: readonly string[] = []) => {
  const [participant, hook] = [await on.newParticipant(), await receiver()];
  for (const email of contacts) {
    await on.made(operator.createContact, {
      params: { id: participant.accountId },
      body: { name: "Night shift", email },
    });
  }
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  const { body } = await participant.call(createWebhook, { body: { url: hook.url, events } });
  return { participant, hook, webhookId: body.id, programId: await newProgram(on, [participant]) };
};

/** Lets the one delivery under way, to a hook that fails already, fail five times; `before` requests were made already. */
export const failForGood = async (on: Running, dispatchId: string, before = 0): Promise<void> => {
  await untilCount(dispatchId, "webhook attempt", before + 1, on);
  for (const [index, seconds] of [3, 8, 22, 66].entries()) {
    on.clock.advance({ seconds });
    await untilCount(dispatchId, "webhook attempt", before + 2 + index, on);
  }
};
