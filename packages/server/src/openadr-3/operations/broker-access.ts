import { createHmac } from "node:crypto";
import type { MqttNotifier } from "@curtail/openadr-3";
import type { BrokerClient } from "../domain/publication.js";
import type { Openadr3Caller } from "./caller.js";

/** How clients reach a broker. */
export interface BrokerAccess {
  readonly uris: readonly string[];
  /** What is returned as its password; null: clients know it, an access token. */
  readonly passwordOf: ((client: Pick<BrokerClient, "id" | "tokensFrom">) => string) | null;
}

/**
 * What `GET /notifiers` says of a broker. The specification has only the user name: a token is the password. One that
 * cannot verify tokens has passwords of its own, which clients are told beside it.
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

/** Passwords for a broker that stores them: every process knows them, and one ends with the client's secret. */
export const brokerPasswords =
  (key: Buffer) =>
  ({ id, tokensFrom }: Pick<BrokerClient, "id" | "tokensFrom">): string =>
    createHmac("sha256", key).update(`${id} ${tokensFrom.toISOString()}`).digest("base64url");
