import { bad, type Check, good, warning } from "@curtail/cli";
import type pg from "pg";
import { BrokerLink } from "../../../openadr-3/worker/broker-link.js";
import type { Condition } from "../../../platform/alarm.js";
import type { Config } from "../../../platform/runtime/config.js";
import { connectionOf, mqttConditions } from "../../wire/openadr-3-mqtt.js";
import type { Read } from "./reading.js";

/** @param fault why it does not take us; null: it does */
export const brokerChecks = (url: string, fault: string | null, found: readonly Condition[]): readonly Check[] => [
  fault === null
    ? good("broker", `${url} takes us`)
    : bad("broker", `${url}: ${fault}`, "check the address, the user and the certificates of the broker"),
  ...found.map(({ message }) => warning("broker", message, "see docs/openadr3-mqtt.md")),
];

/** Connects and leaves. @param read null: without the database */
export const lookAtBroker = async (config: Config, read: Read | null, now: Date): Promise<readonly Check[]> => {
  const connection = connectionOf(config);
  if (connection === null) return [];
  const link = new BrokerLink(connection, { monotonicMs: () => performance.now() });
  try {
    await link.open();
    const conditionsOf = (client: pg.PoolClient) => mqttConditions({ config, pool: client, clock: { now: () => now } });
    return brokerChecks(new URL(connection.url).host, link.fault, read === null ? [] : await read(conditionsOf));
  } finally {
    await link.close();
  }
};
