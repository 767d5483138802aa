import Type from "typebox";
import { endpoint } from "../endpoint.js";
import * as delivery from "../operator-v1/delivery.js";
import { byId, EnvironmentChoice, PageQuery } from "../operator-v1/list.js";
import * as operator from "../operator-v1/webhook.js";
import * as participant from "../v2022-04-15/webhook.js";

/** A webhook of the caller's own account. */
export const OwnWebhook = Type.Object(
  {
    ...operator.OperatorWebhook.properties,
    secrets: Type.Array(Type.String(), {
      description:
        "Secrets that its requests are signed with, the newest first; two for 24 hours after a rotation. Empty for participant-viewer.",
    }),
  },
  { $id: "OwnWebhook" },
);

/** As systems of the account register them, in either environment. */
export const listOwnWebhooks = endpoint({ ...participant.listWebhooks, query: EnvironmentChoice });
export const createOwnWebhook = endpoint({ ...participant.createWebhook, query: EnvironmentChoice });
export const deleteOwnWebhook = endpoint({ ...participant.deleteWebhook, query: EnvironmentChoice });

/** Webhooks of the caller's own account and what they were sent, as the operator's interface has all. */
export const getOwnWebhook = endpoint({
  id: "getOwnWebhook",
  method: "GET",
  path: "/webhooks/{id}",
  tag: "Webhooks",
  summary: "Retrieve a webhook with its secrets",
  params: byId,
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
  summary: "List what your webhooks were sent of a dispatch, newest first",
  query: PageQuery,
});
export const resendOwnDelivery = endpoint({ ...delivery.resendDelivery, id: "resendOwnDelivery" });
