import type { AgentConfig } from "../config/config.js";
import type { OutputValue } from "../control/output-value.js";
import { placeOf } from "../devices/place.js";
import type { SiteRunner } from "../run/site-runner.js";
import { sentOf, type Written } from "./memory-devices.js";
import type { Entry, SiteEntry, WriteEntry } from "./played.js";

/** Records what happens: each change once, and the steps of a ramp as one. */
export class Timeline {
  readonly entries: Entry[] = [];
  private readonly sites = new Map<string, SiteEntry>();
  /** Of each output the last entry, its place in the list, and what the ramp leads to. */
  private readonly writes = new Map<string, { index: number; entry: WriteEntry; wanted: OutputValue }>();

  constructor(private readonly config: AgentConfig) {}

  event(atMs: number, text: string): void {
    this.entries.push({ kind: "event", atMs, text });
  }

  note(atMs: number, text: string): void {
    this.entries.push({ kind: "note", atMs, text });
  }

  /** A process starts: what it finds and writes is news. */
  started(): void {
    this.sites.clear();
    this.writes.clear();
  }

  /** A site after a step; nothing is recorded unless it changed. */
  site(atMs: number, { site, state }: SiteRunner): void {
    const { phase, cause, demand } = state;
    const entry: SiteEntry = {
      kind: "site",
      atMs,
      site: site.name,
      phase,
      cause,
      dispatches: demand?.dispatchIds ?? [],
      commitmentKw: demand?.commitmentKw ?? null,
    };
    if (isSame(this.sites.get(site.id), entry)) return;
    this.sites.set(site.id, entry);
    // Outputs are written by the step that changes the site: they come after it.
    const from = this.entries.findIndex(
      (each) => each.kind === "write" && each.atMs === atMs && each.site === site.name,
    );
    this.entries.splice(from === -1 ? this.entries.length : from, 0, entry);
    if (from !== -1) for (const write of this.writes.values()) if (write.index >= from) write.index++;
  }

  write(atMs: number, { context, target, value, fault }: Written, wanted: OutputValue): void {
    const site = this.config.sites.find(({ id }) => id === context.site);
    const output = site?.outputs.find(({ name }) => name === context.output);
    if (site === undefined || output === undefined) return;
    const key = `${site.id} ${output.name}`;
    const before = this.writes.get(key);
    const unscaled = value === null ? "released" : Number((value / output.scale).toPrecision(12));
    if (before?.entry.value === unscaled && before.entry.fault === fault) return;
    const isStep = before !== undefined && output.ramp !== null && fault === null && before.wanted === wanted;
    const entry: WriteEntry = {
      kind: "write",
      atMs: isStep ? before.entry.atMs : atMs,
      untilMs: atMs,
      steps: isStep ? before.entry.steps + 1 : 1,
      site: site.name,
      output: output.name,
      from: isStep ? before.entry.from : (before?.entry.value ?? null),
      value: unscaled,
      place: placeOf(target, this.config.connections),
      sent: sentOf(target, value, context),
      fault,
    };
    const index = isStep ? before.index : this.entries.length;
    this.entries[index] = entry;
    this.writes.set(key, { index, entry, wanted });
  }
}

const isSame = (before: SiteEntry | undefined, { phase, cause, commitmentKw, dispatches }: SiteEntry): boolean =>
  before?.phase === phase &&
  before.cause === cause &&
  before.commitmentKw === commitmentKw &&
  before.dispatches.join() === dispatches.join();
