import { readFile } from "node:fs/promises";
import type { BrokerAccess } from "../../openadr-3/operations/broker-access.js";
import {
  brokerConditions,
  OUTSIDE_BROKER,
  sharedConditions,
  weaknessConditions,
} from "../../openadr-3/operations/broker-conditions.js";
import { brokerClients } from "../../openadr-3/storage/broker-clients.js";
import { brokerFindings } from "../../openadr-3/storage/broker-findings.js";
import { publications } from "../../openadr-3/storage/publications.js";
import { type BrokerConnection, BrokerLink, type Connected } from "../../openadr-3/worker/broker-link.js";
import { BrokerUsers } from "../../openadr-3/worker/broker-users.js";
import { MqttPublisher } from "../../openadr-3/worker/mqtt-publisher.js";
import type { Condition } from "../../platform/alarm.js";
import type { Clock } from "../../platform/clock.js";
import { cursorLease } from "../../platform/database/cursor-lease.js";
import type { Queryable } from "../../platform/database/database.js";
import { waitingSince } from "../../platform/database/follower-store.js";
import type { Config } from "../../platform/runtime/config.js";
import { brokerPasswords, fingerprintOf } from "../../platform/runtime/secrets.js";
import type { SecretBox } from "../../platform/secret-box.js";
import { stampsOrNew } from "../../platform/stamps.js";
import { type Basis, NOTHING, type Stopping } from "../basis.js";

const passwordsOf = (secretBox: SecretBox) => brokerPasswords(secretBox.derive("openadr3 mqtt")[0].key);

/** How clients reach the broker; null: there is none. */
export const brokerAccessOf = (
  { openadr3MqttUrl: url, openadr3MqttPublicUrls: publicUrls, openadr3MqttAccess: access }: Config,
  secretBox: SecretBox,
): BrokerAccess | null =>
  url === null
    ? null
    : { uris: publicUrls ?? [url], passwordOf: access === "dynamic-security" ? passwordsOf(secretBox) : null };

/** The broker as the alarms see it. */
export const mqttConditions = async ({
  config: { openadr3MqttUrl: url, openadr3MqttAccess: access },
  pool,
  clock,
}: Pick<Basis, "config"> & { readonly pool: Queryable; readonly clock: Pick<Clock, "now"> }): Promise<
  readonly Condition[]
> => {
  if (url === null) return [];
  const findings = brokerFindings(pool);
  return [
    ...brokerConditions(await waitingSince(pool, OUTSIDE_BROKER), clock.now()),
    ...(access === "broker" ? [] : await weaknessConditions(findings)),
    ...(await sharedConditions(findings, clock.now())),
  ];
};

/** Publishes to an outside broker, if there is one. */
export const wireMqttPublisher = (basis: Basis): Stopping => {
  const { config, pool, logger, clock, secretBox, stamps, tail, gate } = basis;
  const readStamps = stampsOrNew(stamps.read);
  const connection = connectionOf(config);
  if (connection === null) return NOTHING;
  const link = new BrokerLink(connection, clock);
  const users =
    config.openadr3MqttAccess === "broker"
      ? null
      : new BrokerUsers(
          {
            clients: brokerClients(pool),
            clientsStamp: async () => (await readStamps()).clients,
            findings: brokerFindings(pool),
            secrets: { passwordOf: passwordsOf(secretBox), fingerprintOf },
            username: connection.username,
            connection: () => link.client,
            clock,
          },
          logger,
        );
  stamps.onNew("clients", () => users?.wake());
  const begin = async (broker: Connected) => users?.begin(broker);
  const giveRights = async () => users?.upToDate();
  const lease = cursorLease(pool, OUTSIDE_BROKER);
  const ports = { link, lease, publications: publications(pool), clock, begin, giveRights };
  const publisher = new MqttPublisher(ports, logger);
  tail.wakeOnChanges(() => publisher.wake());
  gate.whenReleased(() => {
    publisher.start();
    users?.start();
  });
  return {
    async stop() {
      await Promise.all([publisher.stop(), users?.stop()]);
    },
  };
};

/** How the service reaches an outside broker; null: there is none. */
export const connectionOf = (config: Config): BrokerConnection | null => {
  if (config.openadr3MqttUrl === null) return null;
  const { openadr3MqttCa: ca, openadr3MqttCertificate: certificate, openadr3MqttKey: key } = config;
  return {
    url: config.openadr3MqttUrl,
    username: config.openadr3MqttUsername,
    password: config.openadr3MqttPassword,
    asksForIdentifier: config.openadr3MqttAccess === "dynamic-security",
    tls: async () => ({
      ...(ca === null ? {} : { ca: await readFile(ca) }),
      ...(certificate === null ? {} : { cert: await readFile(certificate) }),
      ...(key === null ? {} : { key: await readFile(key) }),
    }),
  };
};
