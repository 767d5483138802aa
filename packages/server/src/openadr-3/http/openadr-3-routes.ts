import { type MqttNotifier, notifiers, type TopicPlace, type TopicSubject, topics, topicsOf } from "@curtail/openadr-3";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RateWindows } from "../../access/domain/rate-limit.js";
import { BODY_BYTES, limitBodies } from "../../platform/http/body-limits.js";
import { serve } from "../../platform/http/endpoint.js";
import { HttpError } from "../../platform/http/error-replies.js";
import { mapResult, notFound, type Result } from "../../platform/refusal.js";
import { isBusinessLogic, type Openadr3Caller } from "../operations/caller.js";
import { getObject, type ObjectReadPorts } from "../operations/read-objects.js";
import { type CallerCheckPorts, checkCallers, openadr3CallerOf } from "./caller-check.js";
import { type ObjectRoutePorts, objectRoutes } from "./object-routes.js";
import { type TokenRoutePorts, tokenRoutes } from "./token-routes.js";

export type Openadr3RoutePorts = CallerCheckPorts &
  ObjectRoutePorts &
  NotifierRoutePorts &
  TokenRoutePorts & {
    readonly failures: RateWindows;
    /** The largest body that business logic may send. */
    readonly bodyBytes: number;
  };

/** Every operation of the specification, below its base path. */
export const openadr3Routes = (app: FastifyInstance, ports: Openadr3RoutePorts): void => {
  limitBodies(app, Math.max(ports.bodyBytes, BODY_BYTES));
  checkCallers(app, ports);
  app.addHook("preValidation", async (request) => refuseImpossibleId(request));
  tokenRoutes(app, ports);
  objectRoutes(app, ports);
  notifierRoutes(app, ports);
};

const OBJECT_ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** An id that no object can have is a mistake, not an unknown object. */
const refuseImpossibleId = ({ params }: FastifyRequest): void => {
  const { id } = params as { readonly id?: string };
  if (id !== undefined && !OBJECT_ID.test(id))
    throw new HttpError(400, "the id in the address must be 1 to 128 letters, digits, hyphens and underscores");
};

type NotifierRoutePorts = ObjectReadPorts & {
  /** How this client reaches the MQTT broker; null: there is none. */
  readonly mqttOf: (caller: Openadr3Caller) => MqttNotifier | null;
};

const collections = ["programs", "events", "reports", "subscriptions", "vens", "resources"] as const;
const singles = ["program", "programEvents", "ven", "venPrograms", "venEvents", "venResources"] as const;

/** The ways of being notified, and the topics of the MQTT broker. */
const notifierRoutes = (app: FastifyInstance, ports: NotifierRoutePorts): void => {
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
