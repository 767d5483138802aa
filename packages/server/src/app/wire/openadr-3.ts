import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { MqttNotifier } from "@curtail/openadr-3";
import type { FastifyInstance } from "fastify";
import { UsualPolls } from "../../openadr/operations/note-polls.js";
import { clientPollStore } from "../../openadr/storage/usual-polls.js";
import { AnswersFromMemory } from "../../openadr-3/operations/answers-from-memory.js";
import { identifyClient } from "../../openadr-3/operations/authenticate-client.js";
import { type BrokerAccess, mqttNotifier } from "../../openadr-3/operations/broker-access.js";
import type { Openadr3Caller } from "../../openadr-3/operations/caller.js";
import { ClientMemory } from "../../openadr-3/operations/client-memory.js";
import type { OftenPorts } from "../../openadr-3/operations/create-often.js";
import { type NoteRehearsal, ShownEvents } from "../../openadr-3/operations/dispatch-acts.js";
import { ObjectMemory } from "../../openadr-3/operations/object-memory.js";
import type { Created, Creation, ObjectCreations } from "../../openadr-3/operations/object-ports.js";
import { RoomForCreated } from "../../openadr-3/operations/room-for-created.js";
import type { ReportUploads } from "../../openadr-3/operations/take-report.js";
import { heldObjects } from "../../openadr-3/storage/held-objects.js";
import { challengeCallback } from "../../openadr-3/worker/send-notification.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { Batcher } from "../../platform/batcher.js";
import { BODY_BYTES } from "../../platform/http/body-limits.js";
import type { MdnsResponder } from "../../platform/mdns/responder.js";
import { boundedCalls, type CallBounds } from "../../platform/outbound/bounded-calls.js";
import { webhookClient } from "../../platform/outbound/webhook-client.js";
import { Polling } from "../../platform/polling.js";
import { accessTokens } from "../../platform/runtime/access-tokens.js";
import type { Config } from "../../platform/runtime/config.js";
import { clientSecrets, newId } from "../../platform/runtime/secrets.js";
import { tokenIssuer } from "../../platform/runtime/token-issuer.js";
import { urlHost } from "../addresses.js";
import type { Basis, Stopping } from "../basis.js";
import { buildOpenadr3Server } from "../routes/build-openadr-3-server.js";
import type { HealthPorts } from "../routes/health.js";
import { storesOver, transactOver } from "../stores.js";
import { wireDiscovery } from "./openadr-3-discovery.js";
import { brokerAccessOf } from "./openadr-3-mqtt.js";
import { noteRefusedOver } from "./refused-credentials.js";
import { notingUsed } from "./request-notes.js";

/** The OpenADR 3 channel, not yet listening. */
export interface Openadr3 extends Stopping {
  /** Starts listening; resolves to its address. */
  listen(host: string, port: number): Promise<string>;
  /** Address for clients, without the base path; null if it is not listening. */
  url(): string | null;
}

export interface Openadr3Wiring extends Basis {
  readonly health: HealthPorts;
  /** Where the load in reports goes. */
  readonly uploads: ReportUploads;
  /** Addresses that subscribers may be called back at. */
  readonly policy: AddressPolicy;
  /** Notes what VENs of the sandbox do. */
  readonly noteRehearsal: NoteRehearsal;
  /** Set by tests: how a client reaches an MQTT broker. */
  readonly mqttOf?: ((caller: Openadr3Caller) => MqttNotifier | null) | undefined;
}

/** Addresses that are being challenged. */
const CHALLENGES: CallBounds = { inAll: 512, perCaller: 40, perCallerWhenCrowded: 4 };
const AUDIENCE = "openadr3";
const BYTES_PER_MEGABYTE = 1_000_000;
const CERTIFICATE_CHECK_MS = 3_600_000;

export const wireOpenadr3 = (wiring: Openadr3Wiring): Openadr3 => {
  const { config, vtnPool: pool, logger, clock, secretBox } = wiring;
  const stores = storesOver(pool, secretBox);
  const clients = new ClientMemory(
    {
      byId: (id) => stores.openadr3Clients.record(id),
      byExternalId: (externalId) => stores.openadr3Clients.recordByExternalId(externalId),
    },
    wiring.stamps.known.clients,
  );
  const used = notingUsed(wiring, (ids, at) => stores.openadr3Clients.touch(ids, at));
  const tokens = {
    clients,
    secrets: clientSecrets,
    tokens: accessTokens(secretBox.derive("openadr3 tokens"), AUDIENCE),
    issuer: config.openadr3Issuer === null ? null : tokenIssuer(config.openadr3Issuer),
    clock,
  };
  const polls = new UsualPolls({
    archive: clientPollStore(pool),
    clock,
    log: logger,
    failure: "polls of VENs of OpenADR 3 could not be recorded; retrying",
  });
  const transact = transactOver(pool, secretBox);
  const limits = {
    objects: config.openadr3MaxObjects,
    reportBytes: config.openadr3MaxReportMegabytes * BYTES_PER_MEGABYTE,
    isPublished: config.openadr3MqttUrl !== null,
  };
  const memory = new ObjectMemory(heldObjects(pool, secretBox));
  wiring.tail.feed(memory);
  const catchUp = wiring.stamps.read;
  const answers = new AnswersFromMemory({ memory, catchUp, clock, log: logger });
  const shown = new ShownEvents({
    acts: stores.openadr3Acts,
    notePoll: (clientId, at) => polls.note(clientId, at),
    noteRehearsal: wiring.noteRehearsal,
    clock,
    tracing: wiring.tracing,
  });
  // Its own client: addresses that hang take nothing from notifications.
  const challenges = webhookClient(wiring.policy);
  let app: FastifyInstance | null = null;
  let renewal: Polling | null = null;
  let discovery: MdnsResponder | null = null;
  const noteRefused = noteRefusedOver(logger, wiring.metrics, clock);
  const access = brokerAccessOf(config, secretBox);
  const url = (): string | null => (app === null ? null : (config.openadr3PublicUrl ?? listeningUrl(config, app)));
  return {
    url,
    async listen(host, port) {
      const tls = await tlsOf(config);
      app = buildOpenadr3Server(
        { publicUrl: config.openadr3PublicUrl, trustedProxies: config.trustedProxies, tls },
        {
          ...tokens,
          stores,
          transact,
          answers,
          catchUp,
          reports: { stores, clock, uploads: wiring.uploads, sightOf: (caller) => answers.sightOf(caller) },
          callbacks: {
            policy: wiring.policy,
            challenge: boundedCalls(challengeCallback(challenges, clock), ({ clientId }) => clientId, CHALLENGES),
            objects: stores.openadr3Objects,
          },
          store: creationsOver(stores.openadr3Creations),
          noteRehearsal: wiring.noteRehearsal,
          limits,
          room: new RoomForCreated({ transact, clock, limits }),
          noteShown: (caller, answer) => shown.note(caller, answer),
          newId,
          noteRefused,
          windowsOf: wiring.limits.windowsOf,
          logger,
          health: wiring.health,
          observe: wiring.metrics.observeRequest,
          identify: (token) => identifyClient(tokens, token),
          noteUsed: used.note,
          rateLimit: config.rateLimit,
          bodyBytes: config.openadr3MaxBodyMegabytes * BYTES_PER_MEGABYTE,
          mqttOf: wiring.mqttOf ?? ((caller) => mqttNotifierOf(access, caller)),
          vtnUrl: () => url() ?? "",
        },
      );
      await app.listen({ host, port });
      renewal = tls === null ? null : renewed(app, wiring);
      const { address, port: known } = app.server.address() as AddressInfo;
      const at = { host: address, port: known, scheme: schemeOf(config) };
      discovery = wireDiscovery(wiring, stores.openadr3Objects, at);
      await discovery?.start();
      return `${schemeOf(config)}://${urlHost(host)}:${known}`;
    },
    async stop() {
      await discovery?.stop();
      await Promise.all([app?.close(), renewal?.stop()]);
      await Promise.all([challenges.close(), polls.stop(), used.stop()]);
    },
  };
};

/** In a batch; what is larger is stored by itself. */
const CREATIONS = { most: 50, bytes: BODY_BYTES };

/** Values that the database refuses, such as half a surrogate, are those of one request. */
const isOfItem = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("22");

/** Events and reports of many requests are stored by one statement. */
const creationsOver = (creations: ObjectCreations): OftenPorts["store"] => {
  const work = (given: readonly Creation[]) => creations.create(given);
  const batches = new Batcher<Creation, Created | null>({ work, most: CREATIONS.most, isItemAtFault: isOfItem });
  return async (creation) => {
    if (creation.bodyJson.length <= CREATIONS.bytes) return batches.add(creation);
    return (await work([creation]))[0] ?? null;
  };
};

const mqttNotifierOf = (access: BrokerAccess | null, caller: Openadr3Caller): MqttNotifier | null =>
  access === null ? null : mqttNotifier(access, caller);

const schemeOf = ({ openadr3Tls }: Config): "http" | "https" => (openadr3Tls === null ? "http" : "https");

/** The public host, if it is known, with the listener's port. */
const listeningUrl = (config: Config, app: FastifyInstance): string => {
  const { address, port } = app.server.address() as AddressInfo;
  const host = config.publicUrl === null ? urlHost(address) : new URL(config.publicUrl).hostname;
  return `${schemeOf(config)}://${host}:${port}`;
};

const tlsOf = async ({ openadr3Tls }: Config): Promise<{ readonly key: string; readonly cert: string } | null> => {
  if (openadr3Tls === null) return null;
  const [cert, key] = await Promise.all(
    [openadr3Tls.certificate, openadr3Tls.key].map((path) => readFile(path, "utf8")),
  );
  return cert === undefined || key === undefined ? null : { key, cert };
};

/** Takes over a certificate that was replaced; open connections keep the one they started with. */
const renewed = (app: FastifyInstance, { config, logger, clock }: Basis): Polling => {
  const { server } = app as { readonly server: unknown };
  const polling = new Polling({
    async look() {
      const tls = await tlsOf(config);
      if (tls !== null && server instanceof TlsServer) server.setSecureContext(tls);
    },
    onError: (error) =>
      logger.error({ err: error }, "the certificate of OpenADR 3 could not be read again; the one before stays in use"),
    clock,
    everyMs: CERTIFICATE_CHECK_MS,
    restsFirst: true,
  });
  polling.start();
  return polling;
};
