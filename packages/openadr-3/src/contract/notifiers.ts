import Type from "typebox";
import { Uri } from "./values.js";

const Authentication = Type.Union([
  Type.Object({ method: Type.Literal("ANONYMOUS") }),
  Type.Object({
    method: Type.Literal("OAUTH2_BEARER_TOKEN"),
    username: Type.String(),
    password: Type.Optional(
      Type.String({ description: "For brokers that cannot verify tokens; beyond the specification." }),
    ),
  }),
  Type.Object({
    method: Type.Literal("CERTIFICATE"),
    caCert: Type.String(),
    clientCert: Type.String(),
    clientKey: Type.String(),
  }),
]);

/** How to reach the MQTT broker. */
export const MqttNotifier = Type.Object({
  URIS: Type.Array(Uri),
  serialization: Type.Literal("JSON"),
  authentication: Authentication,
});
export type MqttNotifier = Type.Static<typeof MqttNotifier>;

export const Notifiers = Type.Object({ WEBHOOK: Type.Boolean(), MQTT: Type.Optional(MqttNotifier) });
export type Notifiers = Type.Static<typeof Notifiers>;

/** MQTT topics of operations; objects that exist have no creation. */
export const Topics = Type.Object({
  CREATE: Type.Optional(Type.String()),
  UPDATE: Type.String(),
  DELETE: Type.String(),
  ALL: Type.Optional(Type.String()),
});
export type Topics = Type.Static<typeof Topics>;

export const TopicsReply = Type.Object({ topics: Topics });
