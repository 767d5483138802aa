import { participantClient } from "@curtail/client";
import { createWebhook, operator } from "@curtail/contract";
import { operate, type Participant } from "./participant.js";

/** Registers an address as the participant would, for all events. */
export const registerWebhook = async (
  service: string,
  { key }: Pick<Participant, "key">,
  url: string,
): Promise<{ id: string }> => {
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  return participantClient({ url: service, key }).call(createWebhook, { body: { url, events } });
};

/** The secrets that the operator gives the participant out of band. */
export const webhookSecrets = async (service: string, { accountId }: Participant, id: string): Promise<string[]> => {
  const { items } = await operate(service, operator.listAccountWebhooks, { params: { id: accountId } });
  return items.find((webhook) => webhook.id === id)?.secrets ?? [];
};
