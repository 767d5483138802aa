import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, Server as TlsServer } from "node:tls";
import { allowedTopics, isAllowedTopic } from "@curtail/openadr-3";
import { Aedes, type Client } from "aedes";
import type { LoopClock } from "../../platform/clock.js";
import type { Cursor } from "../../platform/journal.js";
import type { FaultLog } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import type { KnownStamp } from "../../platform/stamps.js";
import { RARELY_MS } from "../../platform/timetable.js";
import type { DeliveryGate } from "../../platform/worker/delivery-gate.js";
import { Takeovers } from "../domain/takeovers.js";
import type { BrokerFindings } from "../operations/broker-findings.js";
import type { Openadr3Caller } from "../operations/caller.js";
import { messagesOf } from "../operations/messages-of-changes.js";
import { type BrokerClient, placeOf } from "../operations/publication.js";
import type { BrokerClients, Publications } from "../operations/publication-ports.js";
import { PacketLimit } from "./packet-limit.js";

interface BrokerUser {
  readonly username: string;
  readonly password: string;
}

export interface EmbeddedBrokerPorts {
  /** null: user name or password is wrong. Throws if the database or the outside issuer cannot be asked. */
  readonly identify: (user: BrokerUser) => Promise<Openadr3Caller | null>;
  readonly noteUsed: (clientId: string) => void;
  readonly noteRefused: (address: string) => void;
  readonly clients: BrokerClients;
  /** Renewed whenever clients may have changed; then `checkAccess` is called, too. */
  readonly clientsStamp: KnownStamp;
  readonly findings: Pick<BrokerFindings, "noteShared">;
  readonly publications: Publications;
  /** What is published waits for this; clients may connect before. */
  readonly whenReleased: DeliveryGate["whenReleased"];
  readonly clock: LoopClock;
}

/** Who is connected, and what it may subscribe to. */
interface Session {
  readonly caller: Openadr3Caller;
  readonly allowed: readonly string[];
  readonly filters: Set<string>;
}

const MAX_CONNECTIONS = 5000;
/** Of one client: its processes, and connections that are dead but not closed yet. */
export const MAX_CONNECTIONS_OF_CLIENT = 5;
export const MAX_SUBSCRIPTIONS_OF_CONNECTION = 100;
/** VENs send nothing but requests to connect and to subscribe. */
export const MAX_PACKET_BYTES = 65_536;
/** What a subscriber may leave unread. */
const MAX_UNREAD_BYTES = 4_194_304;
const CONNECT_MS = 10_000;
const DRAIN_MS = 30_000;
const KEEPALIVE_MS = 60_000;
/** How soon changes are read or access is checked again if they could not be. */
const FAILED_MS = 1000;
const CHANGES_AT_ONCE = 500;

/** Certificate and key, in PEM. */
export interface BrokerTls {
  readonly cert: string;
  readonly key: string;
}

/** An MQTT broker of this process, which only the service publishes to; each process tells its own subscribers. */
export class EmbeddedBroker {
  private readonly sessions = new Map<Client, Session>();
  private readonly takeovers = new Takeovers();
  private readonly publishing: Polling;
  private readonly checking: Polling;
  private aedes: Aedes | null = null;
  private server: Server | TlsServer | null = null;
  /** Of the changes that it has published. */
  private cursor: Cursor | null = null;
  private isRead = true;
  private isChecked = true;

  constructor(
    private readonly ports: EmbeddedBrokerPorts,
    private readonly log: FaultLog,
  ) {
    const { clock } = ports;
    this.publishing = new Polling({
      look: () => this.publishChanges(),
      onError: (error) => log.error({ err: error }, "changes of OpenADR 3 could not be read for MQTT; retrying"),
      clock,
      everyMs: () => (this.isRead ? RARELY_MS : FAILED_MS),
    });
    this.checking = new Polling({
      look: () => this.checkSessions(),
      onError: (error) => log.error({ err: error }, "access of MQTT clients could not be checked; retrying"),
      clock,
      everyMs: () => (this.isChecked ? RARELY_MS : FAILED_MS),
    });
  }

  /** Resolves to the port. */
  async listen(host: string, port: number, tls: BrokerTls | null): Promise<number> {
    const aedes = await this.start();
    const server = tls === null ? createServer() : createTlsServer({ ...tls, handshakeTimeout: CONNECT_MS });
    server.maxConnections = MAX_CONNECTIONS;
    server.on(tls === null ? "connection" : "secureConnection", (socket: Socket) => this.accept(aedes, socket));
    // Peers that speak no TLS, or go during the handshake.
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
    this.server = server;
    this.ports.whenReleased(() => this.publishing.start());
    this.checking.start();
    return (server.address() as AddressInfo).port;
  }

  /** Takes over a certificate that was replaced. */
  renew(tls: BrokerTls): void {
    if (this.server instanceof TlsServer) this.server.setSecureContext(tls);
  }

  /** Call when a change was committed. */
  wake(): void {
    this.publishing.wake();
  }

  /** Call when clients may have changed: those that were revoked are disconnected. */
  checkAccess(): void {
    this.checking.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([this.publishing.stop(), this.checking.stop()]);
    const { server, aedes } = this;
    if (server === null || aedes === null) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
    await closed;
  }

  private async start(): Promise<Aedes> {
    const aedes = await Aedes.createBroker({
      // Unlimited: a subscriber that does not read holds up nobody; what it leaves unread is limited below.
      concurrency: 0,
      connectTimeout: CONNECT_MS,
      drainTimeout: DRAIN_MS,
      preConnect(_client, packet, done) {
        // Nothing is kept for those who are away, or published for them: after each connect a VEN reads over REST.
        packet.clean = true;
        delete packet.will;
        done(null, true);
      },
      authenticate: (client, username = "", password = Buffer.alloc(0), done) => {
        void this.authenticate(client, { username, password: password.toString() }).then((refused) =>
          // oxlint-disable-next-line promise/no-callback-in-promise -- the library has no promises here
          done(refused, refused === null),
        );
      },
      authorizePublish: (_client, _packet, done) => done(new Error("only the service publishes")),
      authorizeSubscribe: (client, subscription, done) =>
        done(null, this.maySubscribe(client, subscription.topic) ? subscription : null),
      authorizeForward: (client, packet) => (this.keepsUp(client) ? packet : null),
    });
    aedes.on("unsubscribe", (filters, client) => {
      for (const filter of filters) this.sessions.get(client)?.filters.delete(filter);
    });
    this.cursor = (await this.ports.publications.since(null, 0)).cursor;
    this.aedes = aedes;
    return aedes;
  }

  private accept(aedes: Aedes, socket: Socket): void {
    const limit = new PacketLimit(MAX_PACKET_BYTES);
    socket.setKeepAlive(true, KEEPALIVE_MS);
    socket.setNoDelay(true);
    const client = aedes.handle(socket);
    socket.once("close", () => void this.sessions.delete(client));
    // Sees what aedes reads, before it does.
    socket.on("data", (chunk: Buffer) => {
      if (!limit.take(chunk)) socket.destroy(new Error("the packet is too long"));
    });
  }

  private async authenticate(client: Client, user: BrokerUser): Promise<RefusedUser | null> {
    const { identify, clientsStamp, noteUsed, noteRefused, clock, findings } = this.ports;
    const stamp = clientsStamp();
    try {
      const caller = await identify(user);
      if (caller === null) {
        noteRefused(addressOf(client));
        return refusal("user name or password is wrong", BAD_USER);
      }
      const { id, role, environment } = caller.client;
      const own = [...this.sessions].filter(([, { caller: other }]) => other.client.id === id);
      if (own.length >= MAX_CONNECTIONS_OF_CLIENT) return refusal("the client has too many connections", NOT_NOW);
      // It may have gone meanwhile.
      if (client.conn.destroyed) return refusal("the connection was closed", NOT_NOW);
      // Nobody ends another's connection by taking its name.
      const name = `${id} ${client.id}`;
      const isTakeover = own.some(([other]) => other.id === name);
      if (isTakeover && this.takeovers.note(id, clock.monotonicMs())) await findings.noteShared(id, clock.now());
      (client as { id: string }).id = name;
      const allowed = allowedTopics(placeOf({ id, role, environment }), caller.scopes);
      this.sessions.set(client, { caller, allowed, filters: new Set() });
      // It may have been revoked meanwhile.
      if (clientsStamp() !== stamp) this.checkAccess();
      noteUsed(id);
      return null;
    } catch (error) {
      this.log.warn({ err: error }, "an MQTT client could not be authenticated");
      return refusal("the service cannot be asked now", NOT_NOW);
    }
  }

  private maySubscribe(client: Client, filter: string): boolean {
    const session = this.sessions.get(client);
    if (session === undefined || !isAllowedTopic(filter, session.allowed)) return false;
    if (session.filters.size >= MAX_SUBSCRIPTIONS_OF_CONNECTION && !session.filters.has(filter)) return false;
    session.filters.add(filter);
    return true;
  }

  /** Who leaves too much unread is disconnected, and reads over REST when it is back. */
  private keepsUp(client: Client): boolean {
    if (!this.sessions.has(client)) return false;
    if (client.conn.writableLength <= MAX_UNREAD_BYTES) return true;
    this.end(client);
    return false;
  }

  private end(client: Client): void {
    this.sessions.delete(client);
    client.conn.destroy();
  }

  private async publishChanges(): Promise<boolean> {
    const { aedes, cursor: before } = this;
    const { publications } = this.ports;
    if (aedes === null) return false;
    this.isRead = false;
    const { changes, cursor, hasMore } = await publications.since(before, CHANGES_AT_ONCE);
    if (changes.length > 0 && this.sessions.size > 0) {
      const vens = await publications.vens(changes);
      for (const change of changes) {
        for (const { topic, body } of messagesOf(change, vens)) {
          const payload = Buffer.from(body);
          aedes.publish({ cmd: "publish", topic, payload, qos: 1, retain: false, dup: false }, () => {});
        }
      }
    }
    this.cursor = cursor;
    this.isRead = true;
    // What was committed since a backlog began is read after its last page.
    return hasMore || (before !== null && before.page !== null);
  }

  /** Disconnects clients that were revoked, or whose rights are others now. */
  private async checkSessions(): Promise<boolean> {
    if (this.sessions.size === 0) return false;
    this.isChecked = false;
    const standing = new Map((await this.ports.clients.standing()).map((client) => [client.id, client]));
    for (const [client, session] of this.sessions) {
      if (!isUnchanged(session, standing.get(session.caller.client.id))) this.end(client);
    }
    this.isChecked = true;
    return false;
  }
}

const isUnchanged = ({ caller, allowed }: Session, now: BrokerClient | undefined): boolean => {
  if (now === undefined || now.tokensFrom > caller.client.tokensFrom) return false;
  const scopes = caller.scopes.filter((scope) => now.scopes.includes(scope));
  return allowedTopics(placeOf(now), scopes).join() === allowed.join();
};

/** Return codes of MQTT 3.1.1. */
const BAD_USER = 4;
const NOT_NOW = 3;

type RefusedUser = Error & { readonly returnCode: number };

const refusal = (message: string, returnCode: number): RefusedUser => Object.assign(new Error(message), { returnCode });

const addressOf = ({ conn }: Client): string =>
  "remoteAddress" in conn && typeof conn.remoteAddress === "string" ? conn.remoteAddress : "unknown";
