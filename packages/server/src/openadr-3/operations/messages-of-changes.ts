import { maySee, notificationBody, toldTargets, topicsOfChange } from "@curtail/openadr-3";
import type { ListeningVen, Message, PublishedChange } from "./publication.js";

/** The messages of a change: for business logic, and for each VEN that may see it. */
export const messagesOf = (change: PublishedChange, vens: readonly ListeningVen[]): Message[] => {
  const seeing = vens.filter((ven) => ven.environment === change.environment && maySee(change, ven));
  const byClient = new Map(seeing.map((ven) => [ven.clientId, ven]));
  const recipients = seeing.map(({ clientId, grants: { venId } }) => ({ clientId, venId }));
  return topicsOfChange(change, recipients, change.environment).flatMap(({ venClientId, topics }) => {
    if (topics.length === 0) return [];
    const grants = venClientId === null ? null : (byClient.get(venClientId)?.grants ?? null);
    const targets = toldTargets(change, { clientId: venClientId ?? "", grants }, undefined);
    const body = notificationBody({ ...change, targets });
    return topics.map((topic) => ({ topic, body }));
  });
};
