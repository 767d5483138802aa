import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One request of the service to one webhook. */
export interface Arrival {
  /** Path of the webhook's address. */
  readonly path: string;
  readonly webhookId: string;
  readonly event: string;
  readonly dispatchId: string;
  readonly atMs: number;
  /** Whether it was answered 200 and stored. */
  accepted: boolean;
  /** The service disconnected before it had the answer. */
  isCut: boolean;
}

const MAX_ANSWER_MS = 250;

export interface HookFaults {
  /** One in this many notices is answered 200 and not stored: the fault that the harness must be able to detect. */
  readonly forgetsEvery?: number;
  /** Share of the notices that are answered 503 the first time. */
  readonly failingShare?: number;
}

/** Answers slowly, and may fail each notice's first request, so that kills fall before, into and after an attempt. */
export class HookReceiver {
  readonly arrivals: Arrival[] = [];
  /** While set, no notice is answered. */
  isHolding = false;
  private readonly failed = new Set<string>();
  private held: Arrival | "next" | null = null;
  private readonly forgotten = new Map<string, boolean>();
  private readonly server = createServer((request, response) => void this.receive(request, response));

  constructor(private readonly faults: HookFaults = {}) {}

  async listen(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers the next notice only when `letGo` is called, so that a kill finds at least that one in flight. */
  holdNext(): void {
    this.held = "next";
  }

  letGo(): void {
    this.held = null;
  }

  isHoldingOne(): boolean {
    return this.held !== null && this.held !== "next";
  }

  /** Number of notices that were answered 200 and not stored. */
  readonly forgottenCount = (): number => [...this.forgotten.values()].filter(Boolean).length;

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    try {
      for await (const chunk of request) text += String(chunk);
    } catch {
      return; // a kill interrupted the request, which counts as never received
    }
    const { event, resource } = JSON.parse(text) as { event: { name: string }; resource: string };
    const arrival: Arrival = {
      path: request.url ?? "",
      webhookId: String(request.headers["webhook-id"]),
      event: event.name,
      dispatchId: resource.split("/").at(-1) ?? "",
      atMs: Date.now(),
      accepted: false,
      isCut: false,
    };
    response.on("close", () => (arrival.isCut = !response.writableFinished));
    response.writeHead(event.name === "" ? 200 : await this.answerTo(arrival)).end();
  }

  private async answerTo(arrival: Arrival): Promise<number> {
    this.arrivals.push(arrival);
    if (this.held === "next") this.held = arrival;
    while ((this.isHolding || this.held === arrival) && !arrival.isCut) await sleep(10);
    await sleep(Math.random() * MAX_ANSWER_MS);
    if (this.isFailing(arrival)) return 503;
    arrival.accepted = !arrival.isCut && !this.isForgotten(arrival);
    return 200;
  }

  /** However often it arrives: a repetition after a kill must not hide the fault. */
  private isForgotten({ webhookId }: Arrival): boolean {
    const { forgetsEvery = Number.POSITIVE_INFINITY } = this.faults;
    const isForgotten = this.forgotten.get(webhookId) ?? (this.forgotten.size + 1) % forgetsEvery === 0;
    this.forgotten.set(webhookId, isForgotten);
    return isForgotten;
  }

  private isFailing({ webhookId }: Arrival): boolean {
    const { failingShare = 0.3 } = this.faults;
    if (this.failed.has(webhookId) || Math.random() >= failingShare) return false;
    this.failed.add(webhookId);
    return true;
  }
}
