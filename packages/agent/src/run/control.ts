import type { DispatchWindow } from "../control/dispatch-window.js";
import { type Silence, silenceAfterAnswer, silenceAfterFailure, silenceAt, silenceFrom } from "../control/silence.js";
import { messageOf } from "../devices/device.js";
import { type Clock, jumpBetween } from "./clock.js";
import type { SiteRunner } from "./site-runner.js";
import type { StoredState } from "./state-file.js";

/** Where the state is kept; null: nowhere, a dry run changes nothing. */
export type StateStore = ((state: StoredState) => void) | null;

/** What a step found of the machine's clock. */
export interface Step {
  readonly nowMs: number;
  /** How far it was set since the last step; 0: it was not. */
  readonly jumpMs: number;
}

/** Ramps and times are stored this often even if nothing else changes. */
const SAVE_MS = 60_000;
/** An attempt without an answer for so long is in vain, though it still waits. */
const PATIENCE_MS = 5_000;

/** Control of all sites, from stored state to stored state. What a process that is killed has not stored is lost. */
export class Control {
  heardAtMs: number | null;
  /** Why the state could not be stored; null: it was. */
  fault: string | null = null;
  private silence: Silence;
  private askedAtMs: number | null = null;
  private before: { readonly nowMs: number; readonly monotonicMs: number };
  /** Time that passed while no process ran, for the first step. */
  private asleepMs: number;
  private saved = { text: "", silentMs: 0, monotonicMs: Number.NEGATIVE_INFINITY };

  constructor(
    readonly sites: readonly SiteRunner[],
    private readonly clock: Clock,
    private readonly store: StateStore,
    stored: StoredState | null,
  ) {
    this.before = { nowMs: clock.now(), monotonicMs: clock.monotonic() };
    this.asleepMs = stored === null ? 0 : Math.max(0, this.before.nowMs - stored.atMs);
    this.heardAtMs = stored?.contactAtMs ?? null;
    this.silence = silenceFrom(stored?.silentMs ?? 0, this.before.monotonicMs);
  }

  /** How long the service was tried in vain, by this process and earlier ones. */
  get silentMs(): number {
    return this.silence.ms;
  }

  /** The service is asked. */
  asked(): void {
    this.askedAtMs = this.clock.monotonic();
  }

  /** The service answered. */
  heard(windows: ReadonlyMap<string, readonly DispatchWindow[]>): void {
    this.askedAtMs = null;
    this.heardAtMs = this.clock.now();
    this.silence = silenceAfterAnswer(this.clock.monotonic());
    for (const runner of this.sites) runner.windows = windows.get(runner.site.id) ?? [];
  }

  /** The service did not answer, or not as it should. */
  failed(): void {
    this.askedAtMs = null;
    this.silence = silenceAfterFailure(this.silence, this.clock.monotonic());
  }

  /** Brings each site to its next state, and writes its outputs. */
  step(): Step {
    const after = { nowMs: this.clock.now(), monotonicMs: this.clock.monotonic() };
    const jumpMs = jumpBetween(this.before, after);
    const elapsedMs = after.monotonicMs - this.before.monotonicMs + this.asleepMs;
    this.before = after;
    this.asleepMs = 0;
    this.silence = this.silenceNow(after.monotonicMs);
    const moment = { ms: after.nowMs, monotonicMs: after.monotonicMs, elapsedMs };
    const { ms: silentMs, since } = this.silence;
    for (const runner of this.sites) runner.tick({ ...moment, silentMs, isStarting: since === "start" });
    this.save(jumpMs !== 0);
    return { nowMs: after.nowMs, jumpMs };
  }

  /** Stores what changed; `always` also what changes with each step. */
  save(always: boolean): void {
    if (this.store === null) return;
    const sites = Object.fromEntries(this.sites.map((runner) => [runner.site.id, runner.stored]));
    // Times in a phase change with each step.
    const text = JSON.stringify(
      Object.values(sites).map(({ state, ...site }) => ({ ...site, state: { ...state, phaseMs: 0 } })),
    );
    if (!(always || this.isDue(text))) return;
    const { ms: silentMs } = this.silence;
    try {
      this.store({ atMs: this.before.nowMs, contactAtMs: this.heardAtMs, silentMs, sites });
      this.saved = { text, silentMs, monotonicMs: this.before.monotonicMs };
      this.fault = null;
    } catch (error) {
      this.fault = messageOf(error);
    }
  }

  private silenceNow(monotonicMs: number): Silence {
    const isInVain = this.askedAtMs !== null && monotonicMs - this.askedAtMs >= PATIENCE_MS;
    return isInVain ? silenceAfterFailure(this.silence, monotonicMs) : silenceAt(this.silence, monotonicMs);
  }

  private isDue(text: string): boolean {
    const { silentMs, monotonicMs } = this.saved;
    if (text !== this.saved.text || this.before.monotonicMs - monotonicMs >= SAVE_MS) return true;
    const limit = Math.max(0, ...this.sites.map(({ site }) => limitOf(site.control.contact)));
    // An answer must not be forgotten, and a silence not for long: neither may count twice.
    const now = Math.min(this.silence.ms, limit);
    return this.silence.ms < silentMs || now - Math.min(silentMs, limit) >= stepOf(limit);
  }
}

/** From then on, more silence decides nothing. */
const limitOf = ({ lostAfterMs, afterMs }: { readonly lostAfterMs: number; readonly afterMs: number }): number =>
  lostAfterMs + afterMs;

/** The silence that a kill may forget: each second is stored, or for long limits fewer, for the sake of flash memory. */
const stepOf = (limitMs: number): number => Math.min(Math.max(limitMs / 200, 1_000), 10_000);
