import { newParticipant, operate, type Participant } from "../participant.js";
import { newVen, type Ven } from "../ven.js";
import type { Recipient } from "./judge.js";
import type { Kind } from "./kinds.js";
import type { WebhookServers } from "./webhook-servers.js";

/** A recipient with what it has: a key, and perhaps a VEN and contacts. */
export interface Actor extends Recipient {
  readonly participant: Participant;
  readonly behaviour: Kind;
  readonly ven: Ven | null;
  /** Addresses of its contacts, and whether the mail server takes mail for each. */
  readonly contacts: ReadonlyArray<{ readonly email: string; readonly isTaken: boolean }>;
}

export interface Surroundings {
  readonly url: string;
  readonly openadrUrl: string;
  readonly webhooks: WebhookServers;
}

/** An account of one site, made what its kind says. */
export const setUp = async (surroundings: Surroundings, kind: Kind): Promise<Actor> => {
  const { url, openadrUrl, webhooks } = surroundings;
  const participant = await newParticipant(url, 1);
  const { accountId } = participant;
  const contacts = kind.contacts.map((isTaken, index) => ({ email: `${accountId}.${index}@example.com`, isTaken }));
  for (const { email } of contacts)
    await operate(url, "POST", `/accounts/${accountId}/contacts`, { name: "Night shift", email });
  if (kind.webhook !== undefined) await register(surroundings, participant, kind, webhooks);
  // One that polls seldom has longer to answer (G45).
  const settings = { ven_id: `ven-${accountId}`, poll_interval_seconds: 10 };
  const ven = kind.ven === undefined ? null : await newVen(url, openadrUrl, accountId, settings);
  if (kind.isDisabled === true) await operate(url, "PATCH", `/accounts/${accountId}`, { disabled: true });
  return {
    accountId,
    siteId: participant.sites[0]?.id ?? "",
    kind: kind.name,
    isDisabled: kind.isDisabled === true,
    participant,
    behaviour: kind,
    ven,
    contacts,
  };
};

const register = async (
  { url }: Surroundings,
  { key, accountId }: Participant,
  { webhook = "accepts", events = ["dispatch.create", "dispatch.update"] }: Kind,
  webhooks: WebhookServers,
): Promise<void> => {
  const headers = { "x-service-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ url: webhooks.urlOf(webhook, accountId), events: events.map((name) => ({ name })) });
  const response = await fetch(`${url}/2022-04-15/webhooks`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`the registration answered ${response.status}: ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  if (webhook !== "deleted") return;
  const deleted = await fetch(`${url}/2022-04-15/webhooks/${id}`, { method: "DELETE", headers });
  if (!deleted.ok) throw new Error(`the deletion answered ${deleted.status}: ${await deleted.text()}`);
};

/** A program in which the sites of all actors are enrolled; answers its id. */
export const programOf = async (url: string, actors: readonly Actor[]): Promise<string> => {
  const body = { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" };
  const { id } = await operate<{ id: string }>(url, "POST", "/programs", body);
  for (const { siteId } of actors) await operate(url, "PUT", `/programs/${id}/sites/${siteId}`, { commitment: 10 });
  return id;
};
