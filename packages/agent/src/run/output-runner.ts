import type { OutputConfig, SiteConfig } from "../config/config.js";
import { type OutputValue, type RampState, rampTowards, valueOf } from "../control/output-value.js";
import type { SiteState } from "../control/site-control.js";
import { backoffMs } from "../devices/backoff.js";
import { messageOf, type PointResult, type WriteContext } from "../devices/device.js";

/** Where values are written to; `Links` in operation. */
export interface OutputDevices {
  write(target: OutputConfig["target"], value: number | null, context: WriteContext): Promise<void>;
  readBack(target: OutputConfig["target"]): Promise<PointResult | null>;
}

export interface OutputStatus {
  readonly name: string;
  /** What it shall be, before ramps; undefined: nothing is written. */
  readonly wanted: OutputValue;
  /** What was written last and confirmed, before `scale`. */
  readonly written: OutputValue;
  readonly writtenAtMs: number | null;
  /** What the point held before the first write; null: not known. */
  readonly found: number | null;
  /** Why the last write failed; null: it succeeded. */
  readonly fault: string | null;
}

/** Brings one output to its value: once on change, again at intervals, and again after failures. */
export class OutputRunner {
  private ramp: RampState;
  private wanted: OutputValue;
  private written: { readonly value: number | null; readonly atMs: number; readonly monotonicMs: number } | null = null;
  private found: number | null = null;
  private failures = 0;
  private retryAtMs = 0;
  private fault: string | null = null;
  private writing: Promise<void> | null = null;

  constructor(
    private readonly site: SiteConfig,
    private readonly output: OutputConfig,
    private readonly devices: OutputDevices,
    stored: OutputValue,
  ) {
    this.ramp = { value: stored, waitedMs: 0 };
  }

  get name(): string {
    return this.output.name;
  }

  /** The value that a ramp has reached, to go on from after a restart. */
  get reached(): OutputValue {
    return this.ramp.value;
  }

  get status(): OutputStatus {
    const { name, wanted, found, fault, written } = this;
    return { name, wanted, written: written?.value, writtenAtMs: written?.atMs ?? null, found, fault };
  }

  /** Reads what the point holds; a ramp begins there. */
  async prepare(): Promise<void> {
    const held = await this.devices.readBack(this.output.target).catch(() => null);
    if (held === null || !("value" in held)) return;
    this.found = held.value / this.output.scale;
    this.ramp = { value: this.found, waitedMs: 0 };
  }

  tick(state: SiteState, now: { readonly ms: number; readonly monotonicMs: number }, elapsedMs: number): void {
    this.wanted = valueOf(this.output, state);
    // An output that is left alone keeps its value: a ramp continues from there.
    if (this.wanted === undefined) return;
    this.ramp = rampTowards(this.ramp, this.wanted, this.output.ramp, elapsedMs);
    const { value } = this.ramp;
    if (value === undefined || this.writing !== null || !this.isDue(value, now.monotonicMs)) return;
    this.writing = this.write(value, state, now).finally(() => {
      this.writing = null;
    });
  }

  get isWriting(): boolean {
    return this.writing !== null;
  }

  /** Waits for a write that is under way. */
  async settle(): Promise<void> {
    await this.writing;
  }

  private isDue(value: number | null, monotonicMs: number): boolean {
    if (this.failures > 0) return monotonicMs >= this.retryAtMs;
    if (this.written === null || this.written.value !== value) return true;
    return monotonicMs - this.written.monotonicMs >= this.output.repeatMs;
  }

  private async write(
    value: number | null,
    state: SiteState,
    now: { readonly ms: number; readonly monotonicMs: number },
  ): Promise<void> {
    try {
      const scaled = value === null ? null : withoutNoise(value * this.output.scale);
      await this.devices.write(this.output.target, scaled, this.contextOf(state));
      this.written = { value, atMs: now.ms, monotonicMs: now.monotonicMs };
      this.failures = 0;
      this.fault = null;
    } catch (error) {
      this.failures++;
      this.retryAtMs = now.monotonicMs + backoffMs(this.failures);
      this.fault = messageOf(error);
    }
  }

  private contextOf({ phase, cause, demand }: SiteState): WriteContext {
    const { id: site } = this.site;
    const dispatches = demand?.dispatchIds ?? [];
    return { site, output: this.name, phase, cause, dispatches, commitmentKw: demand?.commitmentKw ?? null };
  }
}

/** 0.1 × 3 is 0.30000000000000004. */
const withoutNoise = (value: number): number => Number(value.toPrecision(12));
