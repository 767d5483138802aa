import type { MqttClient } from "mqtt";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import { within } from "../../platform/within.js";
import { Takeovers } from "../domain/takeovers.js";
import { type BrokerFindings, type BrokerWeakness, weaknessWords } from "../operations/broker-conditions.js";
import {
  brokerUserOf,
  type Command,
  type ListedUser,
  presentUsers,
  receivesByDefault,
  serviceCommands,
  type UserSecrets,
  userCommands,
} from "../operations/dynamic-security.js";
import type { BrokerClients } from "../operations/publication.js";
import type { Connected } from "./broker-link.js";

export interface BrokerUserPorts {
  readonly clients: BrokerClients;
  /** Differs whenever clients may have changed; never older than the call. */
  readonly clientsStamp: () => Promise<string>;
  readonly secrets: UserSecrets;
  readonly findings: Pick<BrokerFindings, "setWeaknesses" | "noteShared">;
  /** The service's own user; null: the broker knows it by a certificate. */
  readonly username: string | null;
  /** The connection of the process that publishes; null: it is another, or there is none. */
  readonly connection: () => MqttClient | null;
  readonly clock: LoopClock;
}

const TOPIC = "$CONTROL/dynamic-security/v1";
const RESPONSES = `${TOPIC}/response`;
/** Errors of the broker, which publishes them if its log has the destination `topic`. */
const BROKER_ERRORS = "$SYS/broker/log/E";
const TAKEOVER = /Client (oac_\S+) already connected, closing old connection/;
const DEFAULT_ACCESS: Command = { command: "getDefaultACLAccess" };
/** How often a broker is asked again how it is set up. */
const CHECK_MS = 60_000;
const ANSWER_MS = 10_000;
const COMMANDS_AT_ONCE = 100;
/** How long a broker without the plug-in is left alone. */
const RETRY_MS = 60_000;
const FAILED_MS = 1000;
/** How long changes wait for the rights of those who are to hear them: a broker that does not answer holds up nothing. */
const RIGHTS_MS = 2000;

/** Makes the clients users of mosquitto, and keeps them so until stopped. */
export class BrokerUsers {
  private readonly polling: Polling;
  /** Ends with the latest look: one at a time. */
  private looking: Promise<void> = Promise.resolve();
  /** The connection that `present` was read over. */
  private at: MqttClient | null = null;
  /** Descriptions of the broker's users that are the service's. */
  private present = new Map<string, string>();
  /** Stamp of the clients that they were made from. */
  private known: string | null = null;
  private retryMs = Number.NEGATIVE_INFINITY;
  private readonly takeovers = new Takeovers();
  /** What is wrong with how the broker names sessions; seen only when connecting. */
  private naming: readonly BrokerWeakness[] = [];
  private warned = "";
  private nextCheckMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly ports: BrokerUserPorts,
    private readonly log: FaultLog,
  ) {
    this.polling = new Polling({
      look: () => this.lookInTurn().then(() => false),
      onError: (error) => this.failed(error),
      clock: ports.clock,
      everyMs: () => this.restMs(),
    });
  }

  start(): void {
    this.polling.start();
  }

  /** Call when clients may have changed: one that was revoked is disconnected. */
  wake(): void {
    this.polling.wake();
  }

  stop(): Promise<void> {
    return this.polling.stop();
  }

  /** Call with each new connection before anything is published: gives the service the right to. */
  async begin({ client, assignedIdentifier }: Connected): Promise<void> {
    const { username } = this.ports;
    this.naming = assignedIdentifier === null || assignedIdentifier === username ? [] : ["client_identifiers"];
    client.on("message", (topic, payload) => {
      if (topic === BROKER_ERRORS) this.noteTakeover(payload.toString());
    });
    await this.readUsers(client);
  }

  /** Gives the clients the rights that they have now, so that they hear what is published next; waits a moment at most. */
  async upToDate(): Promise<void> {
    const looking = this.lookInTurn().catch((error: unknown) => this.failed(error));
    await within(looking, RIGHTS_MS, () => undefined);
  }

  private lookInTurn(): Promise<void> {
    const look = (): Promise<void> => this.look();
    this.looking = this.looking.then(look, look);
    return this.looking;
  }

  /** Until the next attempt, or the next check. */
  private restMs(): number {
    const untilRetryMs = this.retryMs - this.ports.clock.monotonicMs();
    return untilRetryMs > 0 ? untilRetryMs : CHECK_MS;
  }

  private failed(error: unknown): void {
    // The users are read again, as it is not known what was carried out.
    this.at = null;
    this.retryMs = this.ports.clock.monotonicMs() + FAILED_MS;
    this.wake();
    this.log.error({ err: error }, "clients of OpenADR 3 could not be made users of the MQTT broker; retrying");
  }

  private async readUsers(client: MqttClient): Promise<void> {
    const { username, clock } = this.ports;
    try {
      await answered(client.subscribeAsync([RESPONSES, BROKER_ERRORS], { qos: 1 }));
      const [listed] = await ask(client, [{ command: "listClients", verbose: true, count: -1, offset: 0 }]);
      const { clients: users = [] } = (listed?.data ?? {}) as { readonly clients?: readonly ListedUser[] };
      if (username !== null) await this.carryOut(client, serviceCommands(username, users));
      // Read again with each connection: somebody may have restored the broker's file.
      this.present = presentUsers(users);
      this.known = null;
      this.at = client;
      this.nextCheckMs = Number.NEGATIVE_INFINITY;
      this.retryMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      // The broker breaks the connection when the service gives itself a right; with the next it has it.
      if (!client.connected) return;
      this.retryMs = clock.monotonicMs() + RETRY_MS;
      this.log.error({ err: error }, "the users of the MQTT broker could not be read; retrying");
    }
    this.wake();
  }

  private async look(): Promise<void> {
    const { clients, clientsStamp, secrets, connection, clock } = this.ports;
    const client = connection();
    if (client === null || clock.monotonicMs() < this.retryMs) return;
    if (client !== this.at) {
      // A broker that did not answer before; the publisher begins with new connections.
      if (this.retryMs > Number.NEGATIVE_INFINITY) await this.readUsers(client);
      return;
    }
    await this.check(client);
    const known = await clientsStamp();
    // A thousand passwords take 20 ms to derive.
    if (known === this.known) return;
    const standing = await clients.standing();
    const wanted = new Map(standing.map((each) => [each.id, brokerUserOf(each, secrets)]));
    const commands = userCommands(wanted, this.present);
    await this.carryOut(client, commands);
    this.known = known;
    this.present = new Map([...wanted].map(([username, user]) => [username, user.description]));
  }

  /** Finds what is set at the broker so that users could reach sessions of others. */
  private async check(client: MqttClient): Promise<void> {
    const { findings, clock } = this.ports;
    if (clock.monotonicMs() < this.nextCheckMs) return;
    const [access] = await ask(client, [DEFAULT_ACCESS]);
    const found: BrokerWeakness[] = [
      ...this.naming,
      ...(receivesByDefault(access?.data ?? {}) ? (["default_access"] as const) : []),
    ];
    await findings.setWeaknesses(found, clock.now());
    this.nextCheckMs = clock.monotonicMs() + CHECK_MS;
    if (found.join() !== this.warned) for (const each of found) this.log.warn({ weakness: each }, weaknessWords[each]);
    this.warned = found.join();
  }

  private noteTakeover(line: string): void {
    const { findings, clock } = this.ports;
    const [, clientId] = TAKEOVER.exec(line) ?? [];
    if (clientId === undefined || !this.takeovers.note(clientId, clock.monotonicMs())) return;
    findings
      .noteShared(clientId, clock.now())
      .catch((error: unknown) => this.log.error({ err: error }, "a client that is used twice could not be noted"));
  }

  private async carryOut(client: MqttClient, commands: readonly Command[]): Promise<void> {
    for (let start = 0; start < commands.length; start += COMMANDS_AT_ONCE) {
      const answers = await ask(client, commands.slice(start, start + COMMANDS_AT_ONCE));
      for (const { command, error } of answers)
        if (error !== undefined && !isExpected(command, error))
          this.log.warn({ command, error }, "the MQTT broker refused a change of its users");
    }
  }
}

/** After a crash in between, a user to create may be there already, and a user to delete may be gone. */
const isExpected = (command: string, error: string): boolean =>
  (command.startsWith("create") && /already exists/i.test(error)) ||
  (command.startsWith("delete") && /not found/i.test(error));

interface Answer {
  readonly command: string;
  readonly error?: string;
  readonly data?: unknown;
}

/** The plug-in answers each publication with one, in order. */
const ask = async (client: MqttClient, commands: readonly Command[]): Promise<readonly Answer[]> => {
  if (commands.length === 0) return [];
  const ending: Array<() => void> = [];
  const heard = new Promise<readonly Answer[]>((resolve, reject) => {
    const hear = (topic: string, payload: Buffer): void => {
      if (topic === RESPONSES) resolve((JSON.parse(payload.toString()) as { readonly responses: Answer[] }).responses);
    };
    const lose = (): void => reject(new Error("the connection to the MQTT broker was lost"));
    client.on("message", hear).once("close", lose);
    ending.push(() => void client.off("message", hear).off("close", lose));
  });
  heard.catch(() => {});
  try {
    await answered(client.publishAsync(TOPIC, JSON.stringify({ commands }), { qos: 1 }));
    return await answered(heard);
  } finally {
    for (const end of ending) end();
  }
};

/** A broker may be connected and not answer. */
const answered = async <T>(answer: Promise<T>): Promise<T> => {
  const given = await within(
    answer.then((value) => ({ value })),
    ANSWER_MS,
    () => null,
  );
  if (given === null) throw new Error("the MQTT broker, or its plug-in for dynamic security, does not answer");
  return given.value;
};
