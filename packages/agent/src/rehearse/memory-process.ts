import type { AgentConfig } from "../config/config.js";
import type { DispatchWindow } from "../control/dispatch-window.js";
import { placeOf } from "../devices/place.js";
import { type Gap, MeterSampler, type Reading } from "../readings/meter-sampler.js";
import type { Clock } from "../run/clock.js";
import { Control, type StateStore } from "../run/control.js";
import type { OutputDevices } from "../run/output-runner.js";
import { SiteRunner } from "../run/site-runner.js";
import type { StoredState } from "../run/state-file.js";
import { everyMs, sample } from "./memory-meter.js";

interface ProcessParts {
  readonly clock: Clock;
  readonly devices: OutputDevices;
  readonly store: StateStore;
  readonly stored: StoredState | null;
}

/** What the service would answer at a moment; null: it does not. */
export type Answer = ReadonlyMap<string, readonly DispatchWindow[]> | null;

/** What a second brought. */
export interface Second {
  /** The service was asked, and answered or not; null: it was not asked. */
  readonly isAnswered: boolean | null;
  readonly jumpMs: number;
  readonly readings: readonly Reading[];
  readonly gaps: readonly Gap[];
}

/** One process of the agent, from its start to its end, with its real rules and without anything outside. */
export class MemoryProcess {
  readonly samplers: readonly MeterSampler[];
  private readonly control: Control;
  private readonly clock: Clock;
  private readonly pollMs: number;
  private steppedAtMs = 0;
  /** When it began, by the machine's clock. */
  private bornMs: number;
  private askAtMs = Number.NEGATIVE_INFINITY;
  private readonly sampleAtMs = new Map<MeterSampler, number>();

  constructor(config: AgentConfig, { clock, devices, store, stored }: ProcessParts) {
    this.clock = clock;
    this.pollMs = config.service.pollMs;
    const startedAtMs = clock.now();
    this.bornMs = startedAtMs - clock.monotonic();
    const sites = config.sites.map((site) => {
      const samplers = site.meters.map(
        (meter) => new MeterSampler(meter, startedAtMs, placeOf(meter.source, config.connections)),
      );
      return new SiteRunner(site, samplers, devices, stored?.sites[site.id]);
    });
    this.samplers = sites.flatMap(({ samplers }) => samplers);
    this.control = new Control(sites, clock, store, stored);
  }

  get sites(): readonly SiteRunner[] {
    return this.control.sites;
  }

  async start(): Promise<void> {
    await Promise.all(this.sites.flatMap(({ outputs }) => outputs.map((output) => output.prepare())));
    await this.step();
  }

  /** The stream says that there is news. */
  wake(): void {
    this.askAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Does what is due at this second. Where nothing can change, control takes its steps five seconds apart. */
  async second(answer: Answer): Promise<Second> {
    const [nowMs, monotonicMs] = [this.clock.now(), this.clock.monotonic()];
    for (const sampler of this.samplers)
      if (monotonicMs >= (this.sampleAtMs.get(sampler) ?? 0)) {
        sample(sampler, nowMs);
        this.sampleAtMs.set(sampler, monotonicMs + everyMs(sampler.meter));
      }
    const isAsked = monotonicMs >= this.askAtMs;
    if (isAsked) this.ask(answer, monotonicMs);
    const isSet = nowMs - monotonicMs !== this.bornMs;
    this.bornMs = nowMs - monotonicMs;
    const isCalm = answer !== null && !isAsked && !isSet && this.sites.every((runner) => isUnchanging(runner, nowMs));
    const jumpMs = isCalm && monotonicMs - this.steppedAtMs < CALM_MS ? 0 : await this.step();
    if (jumpMs !== 0) for (const sampler of this.samplers) sampler.clockJumped(nowMs);
    const settled = this.samplers.map((sampler) => sampler.settle(nowMs));
    return {
      isAnswered: isAsked ? answer !== null : null,
      jumpMs,
      readings: settled.flatMap(({ readings }) => readings),
      gaps: settled.flatMap(({ gaps }) => gaps),
    };
  }

  private ask(answer: Answer, monotonicMs: number): void {
    this.askAtMs = monotonicMs + this.pollMs;
    this.control.asked();
    if (answer === null) this.control.failed();
    else this.control.heard(answer);
  }

  private async step(): Promise<number> {
    this.steppedAtMs = this.clock.monotonic();
    const { jumpMs } = this.control.step();
    for (const { outputs } of this.sites) for (const output of outputs) if (output.isWriting) await output.settle();
    return jumpMs;
  }
}

/** A step of this length is none of those that control takes for a pause. */
const CALM_MS = 5_000;

/** Whether a site stays as it is for that long: no dispatch begins or ends, no time counts, no value moves. */
const isUnchanging = ({ site, state, windows, outputs }: SiteRunner, nowMs: number): boolean => {
  const { leadMs, maximumOnMs } = site.control;
  const counts = state.phase === "curtailing" && maximumOnMs !== null;
  if ((state.cause !== "no dispatch" && state.cause !== "dispatch") || counts) return false;
  const edges = (windows ?? []).flatMap(({ startMs, endMs }) => [startMs - leadMs, startMs, endMs ?? startMs]);
  if (edges.some((edgeMs) => edgeMs >= nowMs - CALM_MS && edgeMs <= nowMs + CALM_MS)) return false;
  return outputs.every(({ status: { wanted, written, fault } }) => wanted === written && fault === null);
};
