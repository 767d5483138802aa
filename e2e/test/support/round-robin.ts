import { request } from "node:http";
import type { ServiceProcess } from "./service-process.js";

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Environment: production or the sandbox. */
  readonly to?: "url" | "sandboxUrl";
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/**
 * A load balancer: sends each request to the next process. Retries only if the process was removed meanwhile and the
 * connection reset before any answer: the operating system resets connections that nobody accepted.
 */
export class RoundRobin {
  private readonly processes: ServiceProcess[] = [];
  private next = 0;

  add(process: ServiceProcess): void {
    this.processes.push(process);
  }

  remove(process: ServiceProcess): void {
    this.processes.splice(this.processes.indexOf(process), 1);
  }

  async send({ to = "url", ...sent }: Sent): Promise<Answered> {
    const target = this.processes[this.next++ % this.processes.length];
    if (target === undefined) throw new Error("no process is there to answer");
    try {
      return await answerTo(target[to], sent);
    } catch (error) {
      if (this.processes.includes(target) || !isReset(error)) throw error;
      return this.send({ to, ...sent });
    }
  }
}

const isReset = (error: unknown): boolean => error instanceof Error && Reflect.get(error, "code") === "ECONNRESET";

/** Over its own connection: a kept one may be closed just when the next request is written. */
const answerTo = (url: string, { method = "GET", path, headers, body }: Omit<Sent, "to">): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const given = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    const sending = request(url + path, { method, agent: false, headers: given }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    sending.on("error", reject);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
