import type { MqttNotifier } from "@curtail/openadr-3";
import type { Openadr3Caller } from "./caller.js";
import type { BrokerClient } from "./publication.js";

/** How clients reach a broker. */
export interface BrokerAccess {
  readonly uris: readonly string[];
  /** What is returned as its password; null: clients know it, an access token. */
  readonly passwordOf: ((client: Pick<BrokerClient, "id" | "tokensFrom">) => string) | null;
}

/**
 * What `GET /notifiers` says of a broker. The specification has only the user name: a token is the password. One that
 * cannot verify tokens has passwords of its own, which clients get with it.
 */
export const mqttNotifier = ({ uris, passwordOf }: BrokerAccess, { client }: Openadr3Caller): MqttNotifier => ({
  URIS: [...uris],
  serialization: "JSON",
  authentication: {
    method: "OAUTH2_BEARER_TOKEN",
    username: client.id,
    ...(passwordOf === null ? {} : { password: passwordOf(client) }),
  },
});
