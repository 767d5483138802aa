import { operate, type Participant } from "./participant.js";

/** Registers an address as the participant would, for all events. */
export const registerWebhook = async (service: string, { key }: Participant, url: string): Promise<{ id: string }> => {
  const response = await fetch(`${service}/2022-04-15/webhooks`, {
    method: "POST",
    headers: { "x-service-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ url, events: [{ name: "dispatch.create" }, { name: "dispatch.update" }] }),
  });
  if (!response.ok) throw new Error(`the registration answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string };
};

/** What the operator tells the participant out of band. */
export const webhookSecrets = async (service: string, { accountId }: Participant, id: string): Promise<string[]> => {
  const { items } = await operate<{ items: Array<{ id: string; secrets: string[] }> }>(
    service,
    "GET",
    `/accounts/${accountId}/webhooks`,
  );
  return items.find((webhook) => webhook.id === id)?.secrets ?? [];
};
