import { readFile } from "node:fs/promises";
import type { NoteRefused } from "../access/operations/note-refused.js";
import { identifyUser } from "../openadr-3/operations/authenticate-client.js";
import type { BrokerAccess } from "../openadr-3/operations/broker-access.js";
import {
  brokerConditions,
  OUTSIDE_BROKER,
  sharedConditions,
  weaknessConditions,
} from "../openadr-3/operations/broker-conditions.js";
import type { TokenPorts } from "../openadr-3/operations/token-ports.js";
import { brokerClients } from "../openadr-3/storage/broker-clients.js";
import { brokerFindings } from "../openadr-3/storage/broker-findings.js";
import { publications } from "../openadr-3/storage/publications.js";
import { type BrokerConnection, BrokerLink, type Connected } from "../openadr-3/worker/broker-link.js";
import { BrokerUsers } from "../openadr-3/worker/broker-users.js";
import { type BrokerTls, EmbeddedBroker } from "../openadr-3/worker/embedded-broker.js";
import { MqttPublisher } from "../openadr-3/worker/mqtt-publisher.js";
import type { Condition } from "../platform/alarm.js";
import { cursorLease } from "../platform/database/cursor-lease.js";
import { waitingSince } from "../platform/database/follower-store.js";
import type { Config } from "../platform/runtime/config.js";
import { brokerPasswords, fingerprintOf } from "../platform/runtime/secrets.js";
import type { SecretBox } from "../platform/secret-box.js";
import { stampsOrNew } from "../platform/stamps.js";
import { urlHost } from "./addresses.js";
import type { Basis, Stopping } from "./basis.js";

const passwordsOf = (secretBox: SecretBox) => brokerPasswords(secretBox.derive("openadr3 mqtt")[0].key);

/** How clients reach the broker; null: there is none, or the embedded one (`ownUrl`) does not listen. */
export const brokerAccessOf = (config: Config, secretBox: SecretBox, ownUrl: string | null): BrokerAccess | null => {
  const url = config.openadr3MqttUrl ?? ownUrl;
  if (url === null) return null;
  const isOutside = config.openadr3MqttUrl !== null;
  return {
    uris: config.openadr3MqttPublicUrls ?? [url],
    passwordOf: isOutside && config.openadr3MqttAccess === "dynamic-security" ? passwordsOf(secretBox) : null,
  };
};

/** The broker as the alarms see it. */
export const mqttConditions = async ({
  config: { openadr3MqttUrl: url, openadr3MqttPort: ownPort, openadr3MqttAccess: access },
  pool,
  clock,
}: Pick<Basis, "config" | "pool" | "clock">): Promise<readonly Condition[]> => {
  const findings = brokerFindings(pool);
  return [
    ...(url === null ? [] : brokerConditions(await waitingSince(pool, OUTSIDE_BROKER), clock.now())),
    ...(url === null || access === "broker" ? [] : await weaknessConditions(findings)),
    ...(url === null && ownPort === null ? [] : await sharedConditions(findings, clock.now())),
  ];
};

/** What publishes to an outside broker. */
interface WiredPublisher extends Stopping {
  start(): void;
}

/** null: there is no outside broker. */
export const wireMqttPublisher = (basis: Basis): WiredPublisher | null => {
  const { config, pool, logger, clock, secretBox, stamps, tail } = basis;
  const readStamps = stampsOrNew(stamps.read);
  const connection = connectionOf(config);
  if (connection === null) return null;
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
  return {
    start() {
      publisher.start();
      users?.start();
    },
    async stop() {
      await Promise.all([publisher.stop(), users?.stop()]);
    },
  };
};

const connectionOf = (config: Config): BrokerConnection | null => {
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

/** The embedded broker, not yet listening. */
export interface WiredBroker extends Stopping {
  listen(host: string, tls: BrokerTls | null): Promise<void>;
  renew(tls: BrokerTls): void;
  /** Its address for clients; null: it does not listen. */
  url(host: string | null): string | null;
}

/** null: there is none. */
export const wireEmbeddedBroker = (
  { config, vtnPool: pool, logger, clock, gate, stamps, tail }: Basis,
  clients: TokenPorts & { readonly noteRefused: NoteRefused; readonly noteUsed: (clientId: string) => void },
): WiredBroker | null => {
  const { openadr3MqttPort: port } = config;
  if (port === null) return null;
  const broker = new EmbeddedBroker(
    {
      identify: (user) => identifyUser(clients, user),
      noteUsed: clients.noteUsed,
      noteRefused: (address) => clients.noteRefused({ kind: "client_secret", address, userId: null }),
      clients: brokerClients(pool),
      clientsStamp: stamps.known.clients,
      findings: brokerFindings(pool),
      publications: publications(pool),
      whenReleased: (start) => gate.whenReleased(start),
      clock,
    },
    logger,
  );
  stamps.onNew("clients", () => broker.checkAccess());
  tail.wakeOnChanges(() => broker.wake());
  let listening: { readonly port: number; readonly scheme: "mqtt" | "mqtts"; readonly host: string } | null = null;
  return {
    async listen(host, tls) {
      const taken = await broker.listen(host, port, tls);
      listening = { port: taken, scheme: tls === null ? "mqtt" : "mqtts", host };
    },
    renew: (tls) => broker.renew(tls),
    url: (host) =>
      listening === null ? null : `${listening.scheme}://${urlHost(host ?? listening.host)}:${listening.port}`,
    stop: () => broker.stop(),
  };
};
