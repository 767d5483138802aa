import type { AgentConfig, SiteConfig } from "../config/config.js";
import type { DispatchWindow } from "../control/dispatch-window.js";
import type { StoredState } from "../run/state-file.js";
import type { Day, DayAct, DayDispatch, DayEvent } from "./day.js";
import { DayReadings } from "./day-readings.js";
import { MemoryDevices, type Written } from "./memory-devices.js";
import { loadOf } from "./memory-meter.js";
import { type Answer, MemoryProcess } from "./memory-process.js";
import type { Played } from "./played.js";
import { Timeline } from "./timeline.js";

const SECOND_MS = 1_000;

/** Plays a day, second by second, with the agent's rules and its configuration. Nothing outside of memory is used. */
export const playDay = async (config: AgentConfig, day: Day): Promise<Played> => {
  const world = new DayWorld(config, day);
  await world.play();
  return world.played;
};

class DayWorld {
  private readonly timeline: Timeline;
  private readonly readings: DayReadings;
  private readonly devices: MemoryDevices;
  private process: MemoryProcess | null = null;
  private stored: string | null = null;
  private ms: number;
  private bornMs = 0;
  private aheadMs = 0;
  private isReachable = true;
  private dispatches: readonly DayDispatch[] = [];
  private windows: Answer;
  private readonly asked = new Map<string, { id: string; startMs: number; endMs: number }>();

  constructor(
    private readonly config: AgentConfig,
    private readonly day: Day,
  ) {
    this.ms = day.fromMs;
    this.timeline = new Timeline(config);
    this.readings = new DayReadings(config, day);
    this.devices = new MemoryDevices(config, (write) => this.written(write));
    this.windows = this.windowsOf([]);
  }

  get played(): Played {
    const { day, timeline, readings, asked } = this;
    return { day, entries: timeline.entries, meters: readings.meters, asked: [...asked.values()] };
  }

  async play(): Promise<void> {
    this.timeline.event(this.ms, "The agent starts, with an empty state folder");
    await this.start();
    let next = 0;
    for (; this.ms < this.day.toMs; this.ms += SECOND_MS) {
      for (const event of this.day.events.slice(next).filter(({ atMs }) => atMs <= this.ms)) {
        await this.happen(event);
        next++;
      }
      await this.second();
    }
  }

  private async happen({ title, act }: DayEvent): Promise<void> {
    this.timeline.event(this.ms, title);
    await this.act(act);
  }

  private async act(act: DayAct): Promise<void> {
    switch (act.kind) {
      case "dispatch":
        this.asked.set(act.dispatch.id, act.dispatch);
        return this.tell([...this.dispatches.filter(({ id }) => id !== act.dispatch.id), act.dispatch]);
      case "cancel":
        this.asked.set(act.id, { id: act.id, startMs: this.asked.get(act.id)?.startMs ?? this.ms, endMs: this.ms });
        return this.tell(this.dispatches.filter(({ id }) => id !== act.id));
      case "contact":
        this.isReachable = act.isThere;
        return;
      case "power":
        if (act.isThere) await this.start();
        else this.process = null;
        return;
      case "clock":
        this.aheadMs = act.aheadMs;
        return;
      case "time":
        return;
    }
  }

  /** The stream says that there is news, while it is there. */
  private tell(dispatches: readonly DayDispatch[]): void {
    this.dispatches = dispatches;
    this.windows = this.windowsOf(dispatches);
    if (this.isReachable) this.process?.wake();
  }

  private async start(): Promise<void> {
    this.bornMs = this.ms;
    this.timeline.started();
    this.process = new MemoryProcess(this.config, {
      clock: { now: () => this.ms + this.aheadMs, monotonic: () => this.ms - this.bornMs },
      devices: this.devices,
      store: (state) => {
        this.stored = JSON.stringify(state);
      },
      stored: this.stored === null ? null : (JSON.parse(this.stored) as StoredState),
    });
    await this.process.start();
    this.look();
  }

  private async second(): Promise<void> {
    if (this.process === null) return this.readings.off(this.ms);
    const { isAnswered, jumpMs, readings, gaps } = await this.process.second(this.isReachable ? this.windows : null);
    if (jumpMs !== 0) this.timeline.note(this.ms, `The agent finds its clock set by ${jumpMs / SECOND_MS} s`);
    this.look();
    this.readings.take(readings, gaps, this.isReachable);
    if (isAnswered === true) for (const text of this.readings.send()) this.timeline.note(this.ms, text);
  }

  private look(): void {
    for (const runner of this.process?.sites ?? []) this.timeline.site(this.ms, runner);
  }

  private windowsOf(dispatches: readonly DayDispatch[]): Answer {
    return new Map(this.config.sites.map((site) => [site.id, dispatches.map((each) => windowOf(each, site))]));
  }

  private written(write: Written): void {
    const runner = this.process?.sites.find(({ site }) => site.id === write.context.site);
    const output = runner?.outputs.find(({ name }) => name === write.context.output);
    this.timeline.write(this.ms, write, output?.status.wanted);
  }
}

/** kW of a site whose meters show nothing that could be curtailed. */
const WITHOUT_LOAD_KW = 400;

const windowOf = ({ id, startMs, endMs, share }: DayDispatch, site: SiteConfig): DispatchWindow => ({
  dispatchId: id,
  startMs,
  endMs,
  commitmentKw: share === null ? null : commitmentOf(site, share),
  isTest: false,
});

/** A share of a site's load, in two digits. */
export const commitmentOf = ({ meters }: SiteConfig, share: number): number => {
  const loadKw = meters.reduce((sum, meter) => sum + loadOf(meter), 0);
  return Number((share * (loadKw > 0 ? loadKw : WITHOUT_LOAD_KW)).toPrecision(2));
};
