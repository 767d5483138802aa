import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { BenchService } from "./service.js";

const EVERY_MS = 10_000;
/** What an operator's board, wall and list of silent sites ask for. */
const PATHS = ["/overview", "/load", "/alarms/groups", "/telemetry-health?per_page=100"];

/** Asks for what open pages of an operator show, as often as they do. */
export class OpenPages {
  private answers: Array<{ readonly path: string; readonly status: number; readonly ms: number }> = [];
  private running = true;
  private readonly loop: Promise<void>;

  constructor(private readonly service: Pick<BenchService, "url" | "token">) {
    this.loop = this.ask();
  }

  /** By path since the last call: the slowest answer that has the page, and how many refused ("ask later"). */
  taken(): string {
    const { answers } = this;
    this.answers = [];
    return PATHS.map((path) => {
      const own = answers.filter((each) => each.path === path);
      const slowest = Math.max(0, ...own.filter(({ status }) => status === 200).map(({ ms }) => ms));
      const refused = own.filter(({ status }) => status !== 200).map(({ status }) => status);
      return `${path} ${Math.round(slowest)} ms${refused.length === 0 ? "" : ` (${refused.join(", ")})`}`;
    }).join(", ");
  }

  stop(): Promise<void> {
    this.running = false;
    return this.loop;
  }

  private async ask(): Promise<void> {
    while (this.running) {
      const beganMs = performance.now();
      for (const path of PATHS) await this.get(path);
      await sleep(Math.max(0, beganMs + EVERY_MS - performance.now()));
    }
  }

  private async get(path: string): Promise<void> {
    const beganMs = performance.now();
    const answer = await request(`${this.service.url}/operator/v1${path}`, {
      headers: { authorization: `Bearer ${this.service.token}` },
    });
    await answer.body.dump();
    this.answers.push({ path, status: answer.statusCode, ms: performance.now() - beganMs });
  }
}
