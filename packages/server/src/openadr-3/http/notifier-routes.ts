import { type MqttNotifier, notifiers, type TopicPlace, type TopicSubject, topics, topicsOf } from "@curtail/openadr-3";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { mapResult, notFound, type Result } from "../../platform/refusal.js";
import { isBusinessLogic, type Openadr3Caller } from "../operations/caller.js";
import { getObject, type ObjectReadPorts } from "../operations/read-objects.js";
import { openadr3CallerOf } from "./caller-check.js";

export type NotifierRoutePorts = ObjectReadPorts & {
  /** How this client reaches the MQTT broker; null: there is none. */
  readonly mqttOf: (caller: Openadr3Caller) => MqttNotifier | null;
};

const collections = ["programs", "events", "reports", "subscriptions", "vens", "resources"] as const;
const singles = ["program", "programEvents", "ven", "venPrograms", "venEvents", "venResources"] as const;

/** The ways of being notified, and the topics of the MQTT broker. */
export const notifierRoutes = (app: FastifyInstance, ports: NotifierRoutePorts): void => {
  serve(app, notifiers, async ({ request }) => {
    const mqtt = ports.mqttOf(openadr3CallerOf(request));
    return { WEBHOOK: true, ...(mqtt === null ? {} : { MQTT: mqtt }) };
  });
  for (const of of collections)
    serve(app, topics[of], async ({ request }) => answered(ports, openadr3CallerOf(request), { of }));
  for (const of of singles)
    serve(app, topics[of], async ({ params, request }) => {
      const caller = openadr3CallerOf(request);
      const { id } = params as { readonly id: string };
      return mapResult(
        getObject({ ...ports, noteShown: async () => {} }, caller, of.startsWith("ven") ? "VEN" : "PROGRAM", id),
        () => answered(ports, caller, { of, id }),
      );
    });
};

const answered = (
  { mqttOf }: NotifierRoutePorts,
  caller: Openadr3Caller,
  subject: TopicSubject,
): Result<{ topics: ReturnType<typeof topicsOf> }> =>
  mqttOf(caller) === null ? notFound("MQTT broker") : { topics: topicsOf(subject, placeOf(caller)) };

const placeOf = (caller: Openadr3Caller): TopicPlace => ({
  environment: caller.client.environment,
  venClientId: isBusinessLogic(caller) ? null : caller.client.id,
});
