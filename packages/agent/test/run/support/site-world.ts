import type { OutputConfig, SiteConfig } from "../../../src/config/config.js";
import type { DispatchWindow } from "../../../src/control/dispatch-window.js";
import type { Override, OverrideMode } from "../../../src/control/override.js";
import type { SiteState } from "../../../src/control/site-control.js";
import { Control } from "../../../src/run/control.js";
import { SiteRunner } from "../../../src/run/site-runner.js";
import type { StoredState } from "../../../src/run/state-file.js";

/** What happens to a site, its agent, its machine and its service. Times are in seconds. */
export type Happening =
  | { readonly kind: "run"; readonly seconds: number; readonly service: "answers" | "refuses" | "hangs" }
  | { readonly kind: "kill"; readonly seconds: number }
  | { readonly kind: "pause"; readonly seconds: number }
  | { readonly kind: "clock"; readonly seconds: number }
  | {
      readonly kind: "dispatch";
      readonly inSeconds: number;
      readonly seconds: number | null;
      readonly kw: number | null;
    }
  | { readonly kind: "prolong"; readonly seconds: number }
  | { readonly kind: "cancel" }
  | { readonly kind: "person"; readonly mode: OverrideMode | null; readonly seconds: number | null };

/** What a watcher of all of it sees, in its order. */
export type Seen = { readonly ms: number; readonly clockMs: number } & (
  | { readonly kind: "started" | "asked" | "failed" | "stored" }
  | { readonly kind: "heard"; readonly windows: readonly DispatchWindow[] }
  | { readonly kind: "person"; readonly override: Override | null }
  | {
      readonly kind: "step";
      readonly state: SiteState;
      /** What devices hold after it. */
      readonly held: Readonly<Record<string, number | null | undefined>>;
      /** What the service has, heard or not. */
      readonly windows: readonly DispatchWindow[];
    }
);

/** How a process that starts takes up what was stored; the rule, or another one to compare with. */
export type TakeUp = (stored: StoredState, clockMs: number) => StoredState;

const NOON = Date.UTC(2026, 6, 1, 12);
const POLL_S = 3;
const GIVE_UP_S = 20;

/** Lets it all happen, second by second, and returns what was seen. */
export const happen = async (
  site: SiteConfig,
  happenings: readonly Happening[],
  takeUp: TakeUp = (stored) => stored,
): Promise<readonly Seen[]> => {
  const world = new SiteWorld(site, takeUp);
  world.start();
  await world.step();
  for (const happening of happenings) await world.let(happening);
  return world.seen;
};

class SiteWorld {
  readonly seen: Seen[] = [];
  private ms = 0;
  private clockMs = NOON;
  private bornMs = 0;
  private stored: string | null = null;
  private windows: readonly DispatchWindow[] = [];
  private readonly held: Record<string, number | null | undefined> = {};
  private control!: Control;
  private runner!: SiteRunner;
  private askAtMs = 0;
  private askedAtMs: number | null = null;

  constructor(
    private readonly site: SiteConfig,
    private readonly takeUp: TakeUp,
  ) {}

  start(): void {
    const stored = this.stored === null ? null : this.takeUp(JSON.parse(this.stored) as StoredState, this.clockMs);
    this.bornMs = this.ms;
    this.askAtMs = this.ms;
    this.askedAtMs = null;
    const devices = {
      write: (_: OutputConfig["target"], value: number | null, { output }: { readonly output: string }) => {
        this.held[output] = value;
        return Promise.resolve();
      },
      readBack: () => Promise.resolve(null),
    };
    this.runner = new SiteRunner(this.site, [], devices, stored?.sites[this.site.id]);
    const clock = { now: () => this.clockMs, monotonic: () => this.ms - this.bornMs };
    const store = (state: StoredState) => {
      this.stored = JSON.stringify(state);
      this.see({ kind: "stored" });
    };
    this.see({ kind: "started" });
    this.control = new Control([this.runner], clock, store, stored);
  }

  async step(): Promise<void> {
    // What is stored by a step includes it.
    const index = this.seen.length;
    this.control.step();
    const { state } = this.runner;
    this.seen.splice(index, 0, {
      ms: this.ms,
      clockMs: this.clockMs,
      kind: "step",
      state,
      held: { ...this.held },
      windows: this.windows,
    });
    await Promise.all(this.runner.outputs.map((output) => output.settle()));
  }

  async let(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case "run":
        return this.run(happening.seconds, happening.service);
      case "kill":
        this.pass(happening.seconds);
        this.start();
        return this.step();
      case "pause":
        this.pass(happening.seconds);
        return this.step();
      case "clock":
        this.clockMs += happening.seconds * 1000;
        return;
      case "dispatch":
        this.windows = [...this.windows, this.windowOf(happening)];
        return;
      case "prolong":
        this.windows = this.windows.map((window) => ({
          ...window,
          endMs: window.endMs === null ? null : window.endMs + happening.seconds * 1000,
        }));
        return;
      case "cancel":
        this.windows = this.windows.slice(1);
        return;
      case "person":
        return this.decide(happening);
    }
  }

  private async run(seconds: number, service: "answers" | "refuses" | "hangs"): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      if (this.talk(service)) await this.step();
      this.pass(1);
      await this.step();
    }
  }

  /** Returns whether there is news. */
  private talk(service: "answers" | "refuses" | "hangs"): boolean {
    if (this.askedAtMs === null) {
      if (this.ms < this.askAtMs) return false;
      this.askedAtMs = this.ms;
      this.control.asked();
      this.see({ kind: "asked" });
    }
    if (service === "hangs" && this.ms - this.askedAtMs < GIVE_UP_S * 1000) return false;
    this.askedAtMs = null;
    this.askAtMs = this.ms + POLL_S * 1000;
    if (service === "answers") {
      this.control.heard(new Map([[this.site.id, this.windows]]));
      this.see({ kind: "heard", windows: this.windows });
    } else {
      this.control.failed();
      this.see({ kind: "failed" });
    }
    return true;
  }

  private decide({ mode, seconds }: { readonly mode: OverrideMode | null; readonly seconds: number | null }): void {
    const untilMs = seconds === null ? null : this.clockMs + seconds * 1000;
    this.runner.override = mode === null ? null : { mode, who: "Anna", by: "mqtt", atMs: this.clockMs, untilMs };
    this.see({ kind: "person", override: this.runner.override });
  }

  private windowOf(of: { readonly inSeconds: number; readonly seconds: number | null; readonly kw: number | null }) {
    const startMs = NOON + this.ms + of.inSeconds * 1000;
    const endMs = of.seconds === null ? null : startMs + of.seconds * 1000;
    return { dispatchId: `dis_${this.seen.length}`, startMs, endMs, commitmentKw: of.kw, isTest: false };
  }

  private pass(seconds: number): void {
    this.ms += seconds * 1000;
    this.clockMs += seconds * 1000;
  }

  private see(what: { readonly kind: "started" | "asked" | "failed" | "stored" } | HeardOrPerson): void {
    this.seen.push({ ms: this.ms, clockMs: this.clockMs, ...what });
  }
}

type HeardOrPerson =
  | { readonly kind: "heard"; readonly windows: readonly DispatchWindow[] }
  | { readonly kind: "person"; readonly override: Override | null };
