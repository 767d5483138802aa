import type { RemoteInfo, Socket } from "node:dgram";
import type { LoopClock } from "../clock.js";
import { Polling } from "../polling.js";
import { Allowance } from "./allowance.js";
import { type DnsRecord, keyOf, readQuery, writeAnswer } from "./dns-message.js";
import { type Link, linkOf } from "./links.js";
import { GROUP, opened, PORT, sent } from "./multicast-socket.js";
import { type AnnouncedService, type Answers, answersTo, goodbyeOf, recordsOf } from "./service-records.js";

export interface ResponderPorts {
  /** Where the service can be reached now. */
  readonly links: () => readonly Link[];
  /** What is announced now. */
  readonly service: () => Promise<AnnouncedService>;
  readonly clock: LoopClock;
  readonly log: { warn(details: object, message: string): void };
}

/** Links and names of programs change seldom. */
const LOOK_MS = 30_000;
/** A service is announced twice, a second apart, and a record is sent to all who ask at most once a second (RFC 6762, 6 and 8.3). */
const SECOND_MS = 1000;
/** Answers to one address, each larger than its question, whose sender can be forged. */
const MAX_UNICAST_A_SECOND = 10;
/** A stranger can send much that cannot be answered. */
const WARNING_MS = 60_000;
const NO_LINK =
  "mDNS: set CURTAIL_HOST to 0.0.0.0, ::, or an IPv4 address of this machine: the listener is on no IPv4 network now, so the service is not announced; one that comes up later is used within 30 seconds";
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
  /** When records were last sent to all who ask, by link and record. */
  private readonly sentMs = new Map<string, number>();
  private readonly unicast = new Allowance(MAX_UNICAST_A_SECOND, SECOND_MS);
  private readonly warnings = new Allowance(1, WARNING_MS);
  private isWarnedOfLinks = false;
  private readonly ended = new AbortController();
  private readonly looking: Polling;

  constructor(private readonly ports: ResponderPorts) {
    this.looking = new Polling({
      look: () => this.look(),
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
    this.socket.on("error", (error) => this.warnOfSending(error));
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
    this.warnOfLinks(links);
    if (isSame) return;
    for (const { address } of links) if (!this.links.some((link) => link.address === address)) this.join(address);
    [this.service, this.links] = [service, links];
    this.sentMs.clear();
    this.announce();
    await this.ports.clock.sleep(SECOND_MS, this.ended.signal);
    this.announce();
  }

  private warnOfLinks(links: readonly Link[]): void {
    if (links.length > 0 || this.isWarnedOfLinks) return;
    this.isWarnedOfLinks = true;
    this.ports.log.warn({}, NO_LINK);
  }

  private warnOfSending(error: unknown): void {
    if (this.warnings.take(this.ports.clock.monotonicMs()))
      this.ports.log.warn(
        { err: error },
        "mDNS: a message could not be sent; further ones are not logged for a minute",
      );
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
    // A sender on none of these networks cannot have asked by multicast (RFC 6762, 11).
    const link = linkOf(from.address, this.links);
    if (this.service === null || link === null) return;
    const query = readQuery(bytes);
    const found = query === null ? null : answersTo(query, recordsOf(this.service, link.addresses));
    if (query === null || found === null) return;
    const legacy = from.port === PORT ? null : { id: query.id, questions: found.questions };
    if (legacy === null && query.questions.some(({ isUnicast }) => !isUnicast)) void this.answerAll(link, found);
    else this.toOne(from, writeAnswer(found.answers, found.additional, legacy));
  }

  private async answerAll(link: Link, { answers, additional }: Answers): Promise<void> {
    const { clock } = this.ports;
    const due = answers.filter((record) => this.isDue(link, record));
    if (due.length === 0) return;
    await clock.sleep(LEAST_DELAY_MS + Math.random() * MORE_DELAY_MS, this.ended.signal);
    if (!this.ended.signal.aborted) this.toAll(link, writeAnswer(due, additional, null));
  }

  /** Whether a record may be sent to all now; from then on it is not, for a second. */
  private isDue({ address }: Link, { name, type, data }: DnsRecord): boolean {
    const key = [address, type, keyOf(name), data.toString("latin1")].join(" ");
    const nowMs = this.ports.clock.monotonicMs();
    const isDue = nowMs - (this.sentMs.get(key) ?? Number.NEGATIVE_INFINITY) >= SECOND_MS;
    if (isDue) this.sentMs.set(key, nowMs);
    return isDue;
  }

  private toOne({ port, address }: RemoteInfo, message: Buffer): void {
    if (!this.unicast.take(this.ports.clock.monotonicMs())) return;
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
      .catch((error: unknown) => this.warnOfSending(error))
      .finally(() => {
        this.waiting -= 1;
      });
  }
}
