import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { atEnd } from "@curtail/testing/at-end";

const program = fileURLToPath(new URL("fast-agent-process.mjs", import.meta.url));

/** Longer than any interval that was stored and not yet printed. */
const PAUSE_MS = 60_000;

/** A `curtail agent` that is killed and started again; its clock stands still in between. */
export class KilledAgent {
  /** Power of each reading that was on disk before the process said so, by `METER END_MS`. */
  readonly promised = new Map<string, number>();
  kills = 0;
  private newestMs: number | null = null;
  private child: ChildProcess | null = null;
  private firstReading: Promise<void> = Promise.resolve();
  /** When the process has ended, by whomever. */
  private closed: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly configFile: string,
    /** Where its clock begins. */
    private readonly fromMs: number,
  ) {
    atEnd(() => this.kill());
  }

  /** The end of its newest reading. */
  get reachedMs(): number {
    return this.newestMs ?? this.fromMs;
  }

  start(speed: number): void {
    const from = this.newestMs === null ? this.fromMs : this.newestMs + PAUSE_MS;
    const child = spawn(process.execPath, [program, this.configFile, String(from), String(speed)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.child = child;
    this.closed = once(child, "close");
    this.firstReading = new Promise((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        this.note(line);
        resolve();
      });
    });
  }

  /** Waits until this process has promised a reading. */
  async reading(): Promise<void> {
    const { child } = this;
    if (child === null) throw new Error("the agent does not run");
    const ended = this.closed.then(() => {
      throw new Error(`the agent ended with ${child.exitCode ?? child.signalCode} before its first reading`);
    });
    await Promise.race([this.firstReading, ended]);
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null) return;
    child.kill("SIGKILL");
    await this.closed;
    if (child.signalCode !== "SIGKILL") throw new Error(`the agent ended by itself with ${child.exitCode}`);
    this.kills += 1;
  }

  private note(line: string): void {
    const [meter = "", end = "", kw = ""] = line.split(" ");
    this.promised.set(`${meter} ${end}`, Number(kw));
    this.newestMs = Math.max(this.reachedMs, Number(end));
  }
}
