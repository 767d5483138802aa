import type { ControlConfig } from "../../../src/config/config.js";
import type { DispatchWindow } from "../../../src/control/dispatch-window.js";
import type { Override } from "../../../src/control/override.js";
import type { Cause, Phase } from "../../../src/control/site-control.js";
import type { Seen } from "./site-world.js";

/** What a site should do after a step. */
export interface Expected {
  readonly phase: Phase;
  readonly cause: Cause;
  /** Commitment in kW while curtailing; null: as much as possible. */
  readonly kw: number | null;
}

/** What a process stores, and the next one takes up. */
interface Memory extends Expected {
  readonly windows: readonly DispatchWindow[] | null;
  readonly override: Override | null;
  /** Since it began or ended to curtail. */
  readonly changedForMs: number;
  readonly hasCurtailed: boolean;
  /** After the maximum on time, until the dispatches have ended. */
  readonly rests: boolean;
  readonly silentMs: number;
  readonly clockMs: number;
}

const BLANK: Memory = {
  phase: "waiting",
  cause: "no contact yet",
  kw: null,
  windows: null,
  override: null,
  changedForMs: 0,
  hasCurtailed: false,
  rests: false,
  silentMs: 0,
  clockMs: 0,
};

interface Process {
  readonly news: "none" | "answer" | "vain";
  /** Ran without news since the start or the last answer. */
  readonly untriedMs: number;
  readonly askedAtMs: number | null;
  readonly atMs: number;
}

/** A plain description of control: reads what was seen, and says what each step should have led to. */
export class PlainSite {
  private memory = BLANK;
  private stored: Memory | null = null;
  private process: Process = { news: "none", untriedMs: 0, askedAtMs: null, atMs: 0 };
  private steppedAtMs = 0;

  constructor(private readonly rules: ControlConfig) {}

  /** What the next process would not know if this one were killed now, in words; null: nothing that matters. */
  get forgotten(): string | null {
    const { memory, stored, rules } = this;
    const { phase, cause, silentMs } = stored ?? BLANK;
    const limitMs = rules.contact.lostAfterMs + rules.contact.afterMs;
    if (phase !== memory.phase || cause !== memory.cause) return `stored ${phase}, ${cause} too late`;
    if (silentMs > memory.silentMs) return "an answer was not stored";
    const lackMs = Math.min(memory.silentMs, limitMs) - Math.min(silentMs, limitMs);
    return lackMs >= 1_000 ? `${lackMs} ms of silence were not stored` : null;
  }

  /** The expected state after a step; undefined after anything else. */
  see(seen: Seen): Expected | undefined {
    if (seen.kind === "started") this.begin(seen);
    if (seen.kind === "person") this.memory = { ...this.memory, override: seen.override };
    if (seen.kind === "stored") this.stored = { ...this.memory, clockMs: seen.clockMs };
    if (seen.kind === "asked") this.process = { ...this.process, askedAtMs: seen.ms };
    if (seen.kind === "failed") this.triedInVain(seen.ms, null);
    if (seen.kind === "heard") {
      this.memory = { ...this.memory, windows: seen.windows, silentMs: 0 };
      this.process = { news: "answer", untriedMs: 0, askedAtMs: null, atMs: seen.ms };
    }
    return seen.kind === "step" ? this.step(seen) : undefined;
  }

  /** The machine's clock says how long no process ran. */
  private begin({ ms, clockMs }: Seen): void {
    const { stored } = this;
    this.memory = stored ?? BLANK;
    const sleptMs = stored === null ? 0 : Math.max(0, clockMs - stored.clockMs);
    this.memory = { ...this.memory, changedForMs: this.memory.changedForMs + sleptMs };
    this.process = { news: "none", untriedMs: 0, askedAtMs: null, atMs: ms };
    this.steppedAtMs = ms;
  }

  /** Running time counts as silence once something was in vain; a longer pause counts ten seconds. */
  private run(ms: number): void {
    const { news, untriedMs, atMs } = this.process;
    const ranMs = Math.min(ms - atMs, 10_000);
    if (news === "vain") this.memory = { ...this.memory, silentMs: this.memory.silentMs + ranMs };
    this.process = { ...this.process, untriedMs: news === "vain" ? 0 : untriedMs + ranMs, atMs: ms };
  }

  private triedInVain(ms: number, askedAtMs: number | null): void {
    this.run(ms);
    this.memory = { ...this.memory, silentMs: this.memory.silentMs + this.process.untriedMs };
    this.process = { ...this.process, news: "vain", untriedMs: 0, askedAtMs };
  }

  private step({ ms, clockMs }: Seen): Expected {
    const { askedAtMs } = this.process;
    if (askedAtMs !== null && ms - askedAtMs >= 5_000) this.triedInVain(ms, askedAtMs);
    else this.run(ms);
    const before = { ...this.memory, changedForMs: this.memory.changedForMs + ms - this.steppedAtMs };
    this.steppedAtMs = ms;
    const current = running(before.windows ?? [], clockMs, this.rules);
    const { phase, cause } = this.decide(before, current.length > 0, clockMs);
    const isCurtailing = phase === "curtailing";
    this.memory = {
      ...before,
      phase,
      cause,
      // One that has ended does not come back, wherever the clock is set to.
      override: cause === "override" ? before.override : null,
      kw: cause === "dispatch" ? together(current, this.rules) : cause === "override" ? null : before.kw,
      changedForMs: isCurtailing === (before.phase === "curtailing") ? before.changedForMs : 0,
      hasCurtailed: before.hasCurtailed || isCurtailing,
      rests: (current.length > 0 || this.process.news === "none") && (before.rests || cause === "maximum on time"),
    };
    return this.memory;
  }

  /** The first line that applies. */
  private decide(before: Memory, isAsked: boolean, clockMs: number): { phase: Phase; cause: Cause } {
    const { contact, minimumOnMs, minimumOffMs, maximumOnMs } = this.rules;
    const { phase, changedForMs, override, silentMs } = before;
    const person = override !== null && (override.untilMs ?? Infinity) > clockMs ? override.mode : null;
    const isOn = phase === "curtailing";
    const isLost = contact.action !== "keep" && silentMs >= contact.lostAfterMs + contact.afterMs;
    const mayBeProlonged = isOn && !isAsked && this.process.news === "none";
    const isUsedUp = before.rests || (isOn && changedForMs >= (maximumOnMs ?? Infinity));
    const lines: ReadonlyArray<readonly [applies: boolean, phase: Phase, cause: Cause]> = [
      [person !== null, person === "normal" ? "normal" : "curtailing", "override"],
      [
        isOn && changedForMs < minimumOnMs && (isLost || isUsedUp || (!isAsked && !mayBeProlonged)),
        phase,
        "minimum on time",
      ],
      [isLost, contact.action === "release" ? "normal" : "failsafe", "contact lost"],
      [(isAsked || mayBeProlonged) && isUsedUp, "normal", "maximum on time"],
      [mayBeProlonged, phase, "no contact yet"],
      [isAsked && !isOn && before.hasCurtailed && changedForMs < minimumOffMs, phase, "minimum off time"],
      [isAsked, "curtailing", "dispatch"],
      [before.windows === null, "waiting", "no contact yet"],
    ];
    const [, then, why] = lines.find(([applies]) => applies) ?? [true, "normal", "no dispatch"];
    return { phase: then, cause: why };
  }
}

/** The dispatches that run, by a clock. */
export const running = (
  windows: readonly DispatchWindow[],
  clockMs: number,
  { leadMs }: Pick<ControlConfig, "leadMs">,
): readonly DispatchWindow[] =>
  windows.filter(({ startMs, endMs }) => clockMs >= startMs - leadMs && clockMs < (endMs ?? Infinity));

const together = (windows: readonly DispatchWindow[], { overlap }: ControlConfig): number | null => {
  let kw = 0;
  for (const { commitmentKw } of windows) {
    if (commitmentKw === null) return null;
    kw = overlap === "sum" ? kw + commitmentKw : Math.max(kw, commitmentKw);
  }
  return kw;
};
