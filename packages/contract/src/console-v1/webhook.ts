import Type from "typebox";
import { endpoint } from "../endpoint.js";
import * as delivery from "../operator-v1/delivery.js";
import { EnvironmentChoice, PageQuery } from "../operator-v1/list.js";
import * as operator from "../operator-v1/webhook.js";
import * as participant from "../v2022-04-15/webhook.js";
import { byId } from "../values.js";

/** A webhook of the caller's own account, with its secrets. */
export const OwnWebhook = Type.Object(
  {
    ...operator.OperatorWebhook.properties,
    secrets: operator.webhookSecrets("participant-viewer"),
  },
  { $id: "OwnWebhook", description: "A webhook of your account, with its secrets." },
);

/** The operations of the participants' interface, in either environment. */
export const listOwnWebhooks = endpoint({ ...participant.listWebhooks, query: EnvironmentChoice });
export const createOwnWebhook = endpoint({ ...participant.createWebhook, query: EnvironmentChoice });
export const deleteOwnWebhook = endpoint({ ...participant.deleteWebhook, query: EnvironmentChoice });

/** Webhooks of the caller's own account and their deliveries. */
export const getOwnWebhook = endpoint({
  id: "getOwnWebhook",
  method: "GET",
  path: "/webhooks/{id}",
  tag: "Webhooks",
  summary: "Retrieve a webhook with its secrets",
  description: "Verify the signatures of requests with the secrets. Only a participant-admin gets them.",
  params: byId("webhook"),
  query: EnvironmentChoice,
  reply: OwnWebhook,
});
export const rotateOwnWebhookSecret = endpoint({
  ...operator.rotateWebhookSecret,
  id: "rotateOwnWebhookSecret",
  reply: OwnWebhook,
});
export const testOwnWebhook = endpoint({ ...operator.testWebhook, id: "testOwnWebhook" });
export const listOwnWebhookDeliveries = endpoint({
  ...delivery.listWebhookDeliveries,
  id: "listOwnWebhookDeliveries",
});
export const listOwnDispatchDeliveries = endpoint({
  ...delivery.listDispatchDeliveries,
  id: "listOwnDispatchDeliveries",
  summary: "List your deliveries of a dispatch, newest first",
  query: PageQuery,
});
export const resendOwnDelivery = endpoint({ ...delivery.resendDelivery, id: "resendOwnDelivery" });
