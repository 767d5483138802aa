import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";

/** Pause after a 429: without it, the attack would measure how fast the service refuses. */
const HEED_MS = 250;
/** Pause after an error, so that a failing service is not called in a tight loop. */
const FAULT_PAUSE_MS = 20;

export interface Post {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent unchanged. */
  readonly body?: unknown;
  /** Local address to send from. */
  readonly from?: string;
  /** Whether to rest after an error. */
  readonly pauses?: boolean;
}

/** Sends as fast as the limits allow, until its time is over. */
export class Sender {
  /** Count of each status; `cut` if no answer came. */
  readonly answers: Record<string, number> = {};
  private readonly endsMs: number;
  private readonly agents = new Map<string, Agent>();

  constructor(seconds: number) {
    this.endsMs = performance.now() + seconds * 1000;
  }

  get isOver(): boolean {
    return performance.now() >= this.endsMs;
  }

  count(what: string): void {
    this.answers[what] = (this.answers[what] ?? 0) + 1;
  }

  /** Runs `lines` loops side by side, each starting again when it is answered. */
  async repeat(lines: number, once: (turn: number) => Promise<unknown>): Promise<void> {
    let turn = 0;
    const line = async (): Promise<void> => {
      while (!this.isOver) await once(turn++);
    };
    await Promise.all(Array.from({ length: lines }, line));
  }

  /** Sends one request and reads the whole answer; returns the status, null without one. */
  async post(
    url: string,
    { method = "POST", headers = {}, body, from = "", pauses = true }: Post = {},
  ): Promise<number | null> {
    const status = await this.statusOf(url, { method, headers, body, from }).catch(() => null);
    this.count(status === null ? "cut" : String(status));
    if (status === 429) await sleep(HEED_MS);
    else if (pauses && (status === null || status >= 400)) await sleep(FAULT_PAUSE_MS);
    return status;
  }

  private async statusOf(
    url: string,
    { method, headers, body, from }: Required<Omit<Post, "pauses">>,
  ): Promise<number> {
    const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
    const answer = await request(url, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      body: isRaw ? (body ?? null) : JSON.stringify(body),
      dispatcher: this.agentFrom(from),
    });
    for await (const _ of answer.body);
    return answer.statusCode;
  }

  private agentFrom(from: string): Agent {
    const known = this.agents.get(from);
    if (known !== undefined) return known;
    const agent = new Agent({
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
      ...(from === "" ? {} : { connect: { localAddress: from } }),
    });
    this.agents.set(from, agent);
    return agent;
  }
}
