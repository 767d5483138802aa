import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import type { LoopClock } from "../clock.js";
import { Polling } from "../polling.js";
import { type DnsRecord, readQuery, writeAnswer } from "./dns-message.js";
import { type Link, linkOf } from "./links.js";
import { type AnnouncedService, type Answers, answersTo, goodbyeOf, recordsOf } from "./service-records.js";

export interface ResponderPorts {
  /** Where the service can be reached now. */
  readonly links: () => readonly Link[];
  /** What is announced now. */
  readonly service: () => Promise<AnnouncedService>;
  readonly clock: LoopClock;
  readonly log: { warn(details: object, message: string): void };
}

const GROUP = "224.0.0.251";
const PORT = 5353;
/** Messages of multicast DNS have it; those of others have passed a router. */
const TTL = 255;
/** Links and names of programs change seldom. */
const LOOK_MS = 30_000;
/** A service is announced twice, a second apart, and the same answer is sent to all at most once a second (RFC 6762, 6 and 8.3). */
const SECOND_MS = 1000;
/** Several machines may answer: each waits for a while of its own (RFC 6762, 6). */
const [LEAST_DELAY_MS, MORE_DELAY_MS] = [20, 100];
/** Answers that wait to be sent. More are not wanted by anybody who asks in good faith. */
const MAX_WAITING = 100;

/** Announces a service on the links of this machine, and answers who asks for it (RFC 6762). */
export class MdnsResponder {
  private socket: Socket | null = null;
  private service: AnnouncedService | null = null;
  private links: readonly Link[] = [];
  private sending: Promise<void> = Promise.resolve();
  private waiting = 0;
  private readonly sentMs = new Map<string, number>();
  private readonly ended = new AbortController();
  private readonly looking: Polling;

  constructor(private readonly ports: ResponderPorts) {
    this.looking = new Polling({
      look: async () => {
        await this.look();
        return false;
      },
      onError: (error) => ports.log.warn({ err: error }, "the announcement by mDNS could not be renewed; retrying"),
      clock: ports.clock,
      everyMs: LOOK_MS,
    });
  }

  /** Never throws: without an announcement the service works as well. */
  async start(): Promise<void> {
    try {
      this.socket = await opened((bytes, from) => this.take(bytes, from));
    } catch (error) {
      this.ports.log.warn({ err: error }, `port ${PORT} cannot be used for mDNS; the service is not announced`);
      return;
    }
    this.socket.on("error", (error) => this.ports.log.warn({ err: error }, "mDNS: a message could not be sent"));
    this.looking.start();
  }

  /** Says goodbye: caches drop the service at once. */
  async stop(): Promise<void> {
    this.ended.abort();
    const { socket } = this;
    if (socket === null) return;
    await this.looking.stop();
    this.announce(goodbyeOf);
    await this.sending;
    socket.close();
  }

  private async look(): Promise<void> {
    const [service, links] = [await this.ports.service(), this.ports.links()];
    const isSame = JSON.stringify([service, links]) === JSON.stringify([this.service, this.links]);
    if (isSame) return;
    for (const { address } of links) if (!this.links.some((link) => link.address === address)) this.join(address);
    [this.service, this.links] = [service, links];
    this.announce();
    await this.ports.clock.sleep(SECOND_MS, this.ended.signal);
    this.announce();
  }

  private join(address: string): void {
    try {
      this.socket?.addMembership(GROUP, address);
    } catch (error) {
      // It is a member since the link was there before.
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return;
      this.ports.log.warn({ err: error, address }, "mDNS cannot be used on this network");
    }
  }

  private announce(asSaid: (records: readonly DnsRecord[]) => readonly DnsRecord[] = (records) => records): void {
    const { service } = this;
    if (service === null) return;
    for (const link of this.links) this.toAll(link, writeAnswer(asSaid(recordsOf(service, link.addresses)), [], null));
  }

  private take(bytes: Buffer, from: RemoteInfo): void {
    // Who is on none of these networks cannot have asked by multicast (RFC 6762, 11).
    const link = linkOf(from.address, this.links);
    const query = readQuery(bytes);
    if (this.service === null || link === null || query === null) return;
    const found = answersTo(query, recordsOf(this.service, link.addresses));
    if (found === null) return;
    const isLegacy = from.port !== PORT;
    if (isLegacy || query.questions.every(({ isUnicast }) => isUnicast))
      this.toOne(from, writeAnswer(found.answers, found.additional, isLegacy ? query : null));
    else void this.answerAll(link, found);
  }

  private async answerAll(link: Link, { answers, additional }: Answers): Promise<void> {
    const { clock } = this.ports;
    const key = [link.address, ...answers.map(({ type }) => type)].join();
    const nowMs = clock.monotonicMs();
    if (nowMs - (this.sentMs.get(key) ?? Number.NEGATIVE_INFINITY) < SECOND_MS) return;
    this.sentMs.set(key, nowMs);
    await clock.sleep(LEAST_DELAY_MS + Math.random() * MORE_DELAY_MS, this.ended.signal);
    if (!this.ended.signal.aborted) this.toAll(link, writeAnswer(answers, additional, null));
  }

  private toOne({ port, address }: RemoteInfo, message: Buffer): void {
    this.enqueue(async (socket) => sent(socket, message, port, address));
  }

  private toAll(link: Link, message: Buffer): void {
    this.enqueue(async (socket) => {
      socket.setMulticastInterface(link.address);
      await sent(socket, message, PORT, GROUP);
    });
  }

  /** One after the other, because a socket sends to the group over the interface that was set last. */
  private enqueue(send: (socket: Socket) => Promise<void>): void {
    const { socket } = this;
    if (socket === null || this.waiting >= MAX_WAITING) return;
    this.waiting += 1;
    this.sending = this.sending
      .then(() => send(socket))
      .catch((error: unknown) => this.ports.log.warn({ err: error }, "mDNS: a message could not be sent"))
      .finally(() => {
        this.waiting -= 1;
      });
  }
}

const opened = async (onMessage: (bytes: Buffer, from: RemoteInfo) => void): Promise<Socket> => {
  // Others on this machine may use the port, too, such as its own resolver.
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(PORT, () => {
      socket.off("error", reject);
      resolve();
    });
  });
  socket.setMulticastTTL(TTL);
  socket.setMulticastLoopback(true);
  return socket.on("message", onMessage);
};

const sent = (socket: Socket, message: Buffer, port: number, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.send(message, port, address, (error) => (error === null ? resolve() : reject(error)));
  });
