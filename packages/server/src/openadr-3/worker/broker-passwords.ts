import { createHmac } from "node:crypto";
import type { BrokerClient } from "../operations/publication.js";

/** Passwords for a broker that stores them: every process knows them, and one ends with the client's secret. */
export const brokerPasswords =
  (key: Buffer) =>
  ({ id, tokensFrom }: Pick<BrokerClient, "id" | "tokensFrom">): string =>
    createHmac("sha256", key).update(`${id} ${tokensFrom.toISOString()}`).digest("base64url");
