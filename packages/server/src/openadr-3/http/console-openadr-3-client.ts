import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { personOf } from "../../access/caller/person.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { PageRequest } from "../../platform/page.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Openadr3Stores, SubscriptionState } from "../operations/openadr-3-stores.js";
import { clientToWire } from "./wire-client.js";

export interface OwnOpenadr3ClientPorts {
  readonly stores: Pick<Openadr3Stores, "openadr3Clients" | "openadr3Objects" | "openadr3Subscriptions">;
}

/** Clients of OpenADR 3 of the caller's own account. */
export const ownOpenadr3ClientRoutes = (app: FastifyInstance, { stores }: OwnOpenadr3ClientPorts): void =>
  serve(app, participantConsole.listOwnOpenadrClients, async ({ query, request }) =>
    listed(
      query,
      (page) => clientsOf(stores, personOf(request).within, page),
      (client) => client,
    ),
  );

const clientsOf = async (
  { openadr3Clients, openadr3Objects, openadr3Subscriptions }: OwnOpenadr3ClientPorts["stores"],
  accountId: string,
  page: PageRequest,
) => {
  const { items, next } = await openadr3Clients.list(accountId, page);
  const ids = items.map(({ id }) => id);
  const vens = await openadr3Objects.vensOfClients(ids);
  const subscriptions = await openadr3Subscriptions.ofClients(ids);
  return {
    next,
    items: items.map((client): participantConsole.OwnOpenadr3Client => {
      const wire = clientToWire({ client, ven: vens.get(client.id) ?? null });
      const { id, name, environment, sites, targets, state, last_used_at } = wire;
      const own = subscriptions.filter(({ clientId }) => clientId === id).map(subscriptionToWire);
      return { id, name, environment, sites, targets, state, last_used_at, subscriptions: own };
    }),
  };
};

const subscriptionToWire = ({ id, name, callbackUrls, pendingCount, lastAttempt }: SubscriptionState) => ({
  id,
  name,
  callback_urls: [...callbackUrls],
  pending_count: pendingCount,
  last_attempt:
    lastAttempt === null
      ? null
      : { at: formatTimestamp(lastAttempt.at), status: lastAttempt.status, error: lastAttempt.error },
});
