import { participantClient } from "@curtail/client";
import { createWebhook, deleteWebhook, operator } from "@curtail/contract";
import { newParticipant, newProgram, operate, type Participant } from "../participant.js";
import { newVen, type Ven } from "../ven.js";
import type { Recipient } from "./judge.js";
import type { Kind } from "./kinds.js";
import type { WebhookServers } from "./webhook-servers.js";

/** A recipient with its key and, possibly, its VEN and contacts. */
export interface Actor extends Recipient {
  readonly participant: Participant;
  readonly behaviour: Kind;
  readonly ven: Ven | null;
  /** Addresses of its contacts, and whether the mail server accepts mail for each. */
  readonly contacts: ReadonlyArray<{ readonly email: string; readonly isTaken: boolean }>;
}

export interface Surroundings {
  readonly url: string;
  readonly openadrUrl: string;
  readonly webhooks: WebhookServers;
}

/** Creates an account of one site for a kind. */
export const setUp = async (surroundings: Surroundings, kind: Kind): Promise<Actor> => {
  const { url, openadrUrl, webhooks } = surroundings;
  const participant = await newParticipant(url, 1);
  const { accountId } = participant;
  const contacts = kind.contacts.map((isTaken, index) => ({ email: `${accountId}.${index}@example.com`, isTaken }));
  for (const { email } of contacts)
    await operate(url, operator.createContact, { params: { id: accountId }, body: { name: "Night shift", email } });
  if (kind.webhook !== undefined) await register(surroundings, participant, kind, webhooks);
  if (kind.chat !== undefined) await addRoom(url, accountId, webhooks.urlOf(kind.chat, accountId));
  // A VEN that polls rarely has longer to answer (G45).
  const settings = { ven_id: `ven-${accountId}`, poll_interval_seconds: 10 };
  const ven = kind.ven === undefined ? null : await newVen(url, openadrUrl, accountId, settings);
  if (kind.isDisabled === true)
    await operate(url, operator.changeAccount, { params: { id: accountId }, body: { disabled: true } });
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

const addRoom = (url: string, accountId: string, address: string): Promise<unknown> =>
  operate(url, operator.createChannelAddress, {
    params: { id: accountId },
    body: { channel: "chat", name: "Control room", address },
  });

const register = async (
  { url }: Surroundings,
  { key, accountId }: Participant,
  { webhook = "accepts", events = ["dispatch.create", "dispatch.update"] }: Kind,
  webhooks: WebhookServers,
): Promise<void> => {
  const { call } = participantClient({ url, key });
  const body = { url: webhooks.urlOf(webhook, accountId), events: events.map((name) => ({ name })) };
  const { id } = await call(createWebhook, { body });
  if (webhook === "deleted") await call(deleteWebhook, { params: { id } });
};

/** Creates a program in which the sites of all actors are enrolled; returns its id. */
export const programOf = async (url: string, actors: readonly Actor[]): Promise<string> => {
  const id = await newProgram(url);
  for (const { siteId } of actors)
    await operate(url, operator.enrolSite, { params: { id, site_id: siteId }, body: { commitment: 10 } });
  return id;
};
