import type { SiteConfig } from "../config/config.js";
import type { DispatchWindow } from "../control/dispatch-window.js";
import { isOverriding, type Override } from "../control/override.js";
import { INITIAL_STATE, type SiteState, stepSite } from "../control/site-control.js";
import type { MeterSampler } from "../readings/meter-sampler.js";
import { type OutputDevices, OutputRunner } from "./output-runner.js";
import type { StoredSite } from "./state-file.js";

/** The moment of a step. */
export interface Moment {
  readonly ms: number;
  readonly monotonicMs: number;
  /** Since the step before, by a clock that does not jump. */
  readonly elapsedMs: number;
  /** How long the service was tried in vain. */
  readonly silentMs: number;
  /** This process has neither had an answer nor tried in vain. */
  readonly isStarting: boolean;
}

/** Control of one site: its state, and its outputs. */
export class SiteRunner {
  state: SiteState;
  windows: readonly DispatchWindow[] | null;
  override: Override | null;
  readonly outputs: readonly OutputRunner[];

  constructor(
    readonly site: SiteConfig,
    readonly samplers: readonly MeterSampler[],
    devices: OutputDevices,
    stored: StoredSite | undefined,
  ) {
    this.state = stored?.state ?? INITIAL_STATE;
    this.windows = stored?.windows ?? null;
    this.override = stored?.override ?? null;
    this.outputs = site.outputs.map(
      (output) => new OutputRunner(site, output, devices, stored?.outputs[output.name] ?? undefined),
    );
  }

  tick({ ms, monotonicMs, elapsedMs, silentMs, isStarting }: Moment): void {
    const { windows, override } = this;
    const inputs = { nowMs: ms, elapsedMs, windows, silentMs, isStarting, override, loadKw: this.loadBefore(ms) };
    this.state = stepSite(this.state, inputs, this.site.control);
    if (override !== null && !isOverriding(override, ms)) this.override = null;
    for (const output of this.outputs) output.tick(this.state, { ms, monotonicMs }, elapsedMs);
  }

  get stored(): StoredSite {
    const { state, windows, override } = this;
    return {
      state,
      windows,
      override,
      outputs: Object.fromEntries(this.outputs.map((each) => [each.name, each.reached])),
    };
  }

  /** Load of all meters together; null if that of one is not known. */
  private loadBefore(nowMs: number): number | null {
    const loads = this.samplers.map((sampler) => sampler.loadBefore(nowMs, this.site.control.referenceMs));
    return loads.length === 0 || loads.includes(null) ? null : loads.reduce<number>((sum, kw) => sum + (kw ?? 0), 0);
  }
}
