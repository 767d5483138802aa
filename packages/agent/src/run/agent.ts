import { participantClient } from "@curtail/client";
import type { AgentConfig, MeterConfig } from "../config/config.js";
import type { Override } from "../control/override.js";
import type { OverrideCommand } from "../control/override-command.js";
import { messageOf } from "../devices/device.js";
import { Links } from "../devices/links.js";
import { placeOf } from "../devices/place.js";
import { MeterSampler } from "../readings/meter-sampler.js";
import { followWithKey } from "../service/follow-with-key.js";
import type { ReadingsSink } from "../service/readings-sink.js";
import type { ServiceKey } from "../service/service-key.js";
import { iso, type Status } from "../status/status.js";
import type { Clock } from "./clock.js";
import { Contact } from "./contact.js";
import { Control } from "./control.js";
import { ChangeLog, type Log } from "./log.js";
import { repeatWoken, Waker } from "./loops.js";
import { collect } from "./meter-sources.js";
import type { OutputDevices } from "./output-runner.js";
import { followRegister } from "./override-register.js";
import { Publisher, willOf } from "./publisher.js";
import { SiteRunner } from "./site-runner.js";
import { logChange, siteStatus } from "./site-status.js";
import { loadState, saveState } from "./state-file.js";
import { takeOverride } from "./take-override.js";

/** What the agent takes from outside. */
export interface AgentParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: ReadingsSink;
  readonly key: ServiceKey;
  /** Replaces the devices for outputs: a dry run. */
  readonly outputs?: OutputDevices;
}

const TICK_MS = 1_000;
/** Between two questions for dispatches that the stream asks for. */
const LEAST_ASK_MS = 500;

/** Reads meters, follows dispatches, and writes outputs, until it is stopped. */
export class Agent {
  private readonly control: Control;
  private readonly links: Links;
  private readonly contact: Contact;
  private readonly samplers: readonly MeterSampler[];
  private readonly changes: ChangeLog;
  private readonly publisher: Publisher | null;
  private readonly stopping = new AbortController();
  private readonly asking = new Waker();
  private readonly ticking = new Waker();
  private readonly startedAtMs: number;
  private readonly readingAt = new Map<string, number>();
  private loops: ReadonlyArray<Promise<void>> = [];

  constructor(
    private readonly config: AgentConfig,
    private readonly parts: AgentParts,
  ) {
    const { clock, log, key } = parts;
    this.startedAtMs = clock.now();
    this.links = new Links(config, this.isDry ? null : willOf(config));
    this.changes = new ChangeLog(log);
    this.contact = new Contact(participantClient(key.access), clock, this.changes);
    const stored = loadState(config.stateFolder);
    const sites = config.sites.map((site) => {
      const samplers = site.meters.map((meter) => this.samplerOf(meter));
      return new SiteRunner(site, samplers, parts.outputs ?? this.links, stored?.sites[site.id]);
    });
    const store = this.isDry ? null : saveState.bind(null, config.stateFolder);
    this.control = new Control(sites, clock, store, stored);
    this.samplers = sites.flatMap(({ samplers }) => samplers);
    this.publisher =
      config.publish === null || this.isDry
        ? null
        : new Publisher(config.publish, this.links.mqtt(config.publish.connection));
  }

  get sites(): readonly SiteRunner[] {
    return this.control.sites;
  }

  /** Reads what outputs hold, then begins. */
  async start(): Promise<void> {
    const { signal } = this.stopping;
    const failed = (error: unknown): void => this.changes.note("agent", messageOf(error));
    const { links, samplers, parts } = this;
    await Promise.all(this.sites.flatMap(({ outputs }) => outputs.map((output) => output.prepare())));
    this.publisher?.start(this.config.sites, (site, command) => this.override(site, command, "mqtt"));
    const context = { links, clock: parts.clock, signal, failed };
    this.loops = [
      repeatWoken(
        { everyMs: this.config.service.pollMs, leastMs: LEAST_ASK_MS, waker: this.asking },
        signal,
        () => this.ask(),
        failed,
      ),
      repeatWoken({ everyMs: TICK_MS, leastMs: 0, waker: this.ticking }, signal, () => this.tick(), failed),
      followWithKey(parts.key, {
        signal,
        onEvent: this.asking.wake,
        onKey: () => parts.log.info("the key was changed", { file: this.config.service.keyFile?.path }),
      }),
      collect(samplers, context),
      ...this.config.sites.flatMap(({ id, name, override }) =>
        override === null
          ? []
          : [
              followRegister(override, context, {
                changed: (mode) => this.override(id, { mode, who: "", minutes: null }, "register"),
                noted: (trouble) => this.changes.note(`override of ${name}`, trouble),
              }),
            ],
      ),
    ];
  }

  /** Leaves outputs as they are: a restart must not end a curtailment. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.loops);
    await Promise.all(this.sites.flatMap(({ outputs }) => outputs.map((output) => output.settle())));
    this.control.save(true);
    await this.publisher?.stop();
    await this.links.close();
    await this.parts.sink.close();
  }

  /** Takes or withdraws an override. Returns what is wrong, or null. */
  override(siteId: string, command: OverrideCommand, by: Override["by"]): string | null {
    const { clock, log } = this.parts;
    const folder = this.isDry ? null : this.config.stateFolder;
    const runner = this.sites.find(({ site }) => site.id === siteId);
    if (runner === undefined) return `there is no site ${siteId}`;
    takeOverride(runner, { command, by, atMs: clock.now() }, { folder, log });
    return null;
  }

  get status(): Status {
    const { clock, sink } = this.parts;
    const lostAfterMs = Math.min(...this.config.sites.map(({ control }) => control.contact.lostAfterMs));
    return {
      at: new Date(clock.now()).toISOString(),
      started_at: new Date(this.startedAtMs).toISOString(),
      dry_run: this.isDry,
      disk_fault: this.control.fault ?? sink.status.disk_fault,
      service: {
        url: this.config.service.url,
        contact_at: iso(this.control.heardAtMs),
        is_lost: this.control.silentMs >= lostAfterMs,
        ...this.contact.status,
        key_fault: this.parts.key.fault,
      },
      upload: sink.status,
      sites: this.sites.map((runner) => siteStatus(runner, clock.now(), this.readingAt)),
    };
  }

  /** A dry run changes nothing, here or elsewhere. */
  private get isDry(): boolean {
    return this.parts.outputs !== undefined;
  }

  private samplerOf(meter: MeterConfig): MeterSampler {
    return new MeterSampler(meter, this.startedAtMs, placeOf(meter.source, this.config.connections));
  }

  private async ask(): Promise<number> {
    const { signal } = this.stopping;
    this.control.asked();
    const news = await this.contact.ask(signal);
    if (signal.aborted) return 0;
    if ("windows" in news) this.control.heard(news.windows);
    else this.control.failed();
    this.ticking.wake();
    return "windows" in news ? 0 : news.retryAfterMs;
  }

  private async tick(): Promise<void> {
    const before = this.sites.map(({ state }) => state);
    const { jumpMs, nowMs } = this.control.step();
    if (jumpMs !== 0) this.clockJumped(jumpMs, nowMs);
    for (const [index, { site, state }] of this.sites.entries())
      logChange(this.parts.log, site.id, { before: before[index], state });
    this.noteTroubles();
    this.publisher?.publish(this.status.sites);
    await this.putReadings(nowMs);
  }

  private clockJumped(jumpMs: number, nowMs: number): void {
    this.parts.log.warn("the clock was set", { seconds: Math.round(jumpMs / 1000) });
    for (const sampler of this.samplers) sampler.clockJumped(nowMs);
  }

  private async putReadings(nowMs: number): Promise<void> {
    for (const sampler of this.samplers) {
      const { readings, gaps } = sampler.settle(nowMs);
      const last = readings.at(-1);
      if (last !== undefined) this.readingAt.set(last.meterId, last.endMs);
      // A gap in the past counts for less than a reading after it.
      const gap = gaps.at(-1);
      if (gap !== undefined || last !== undefined)
        this.changes.note(
          `meter ${sampler.meter.name}`,
          gap !== undefined && gap.endMs > (last?.endMs ?? 0) ? gap.why : null,
        );
      await this.parts.sink.put(readings);
    }
  }

  private noteTroubles(): void {
    for (const { site, outputs } of this.sites)
      for (const { status } of outputs) this.changes.note(`output ${status.name} of ${site.name}`, status.fault);
    const { fault, warnings } = this.parts.sink.status;
    this.changes.note("upload", fault);
    this.changes.note("the key", this.parts.key.fault);
    this.changes.note("publish", this.publisher?.fault ?? null);
    this.changes.note("the disk", this.status.disk_fault);
    this.changes.note("sandbox", warnings.length === 0 ? null : warnings.join("; "));
  }
}
