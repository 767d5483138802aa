import type { DispatchWindow } from "../control/dispatch-window.js";
import type { Outlook } from "../control/outlook.js";
import type { Override } from "../control/override.js";
import type { Phase } from "../control/site-control.js";
import type { OutputStatus } from "../run/output-runner.js";
import type { SinkStatus } from "../service/readings-sink.js";

/** What the status page shows; times are RFC 3339, powers kW. */
export interface Status {
  readonly at: string;
  readonly started_at: string;
  readonly dry_run: boolean;
  /** Why the state or readings could not be stored on disk; null: they were. */
  readonly disk_fault: string | null;
  readonly service: ServiceStatus;
  readonly upload: SinkStatus;
  readonly sites: readonly SiteStatus[];
}

export interface ServiceStatus {
  readonly url: string;
  readonly contact_at: string | null;
  /** Without contact for longer than the shortest `lost_after`. */
  readonly is_lost: boolean;
  readonly fault: string | null;
  /** Why the key in the key file is not used; null: it is, or there is none. */
  readonly key_fault: string | null;
  /** How far this machine's clock is ahead of the service's; null: not known. */
  readonly clock_ahead_seconds: number | null;
}

export interface SiteStatus {
  readonly id: string;
  readonly name: string;
  readonly phase: Phase;
  readonly cause: string;
  readonly commitment_kw: number | null;
  readonly outlook: OutlookStatus;
  readonly override: OverrideStatus | null;
  readonly dispatches: readonly DispatchStatus[];
  readonly meters: readonly MeterStatus[];
  readonly outputs: readonly OutputWords[];
}

/** What the known dispatches will ask; see `Outlook`. */
export interface OutlookStatus {
  readonly announced: boolean;
  readonly next_start: string | null;
  readonly next_end: string | null;
  readonly asked_kw: number | null;
}

export interface OverrideStatus {
  readonly mode: Override["mode"];
  readonly who: string;
  readonly by: Override["by"];
  readonly at: string;
  readonly until: string | null;
}

export interface DispatchStatus {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly commitment_kw: number | null;
  readonly test: boolean;
}

export interface MeterStatus {
  readonly id: string;
  readonly name: string;
  readonly kw: number | null;
  readonly at: string | null;
  readonly note: string | null;
  /** End of the newest interval with a reading. */
  readonly reading_at: string | null;
}

/** As `OutputStatus`; a release is "released", and nothing is null. */
export interface OutputWords {
  readonly name: string;
  readonly wanted: number | "released" | null;
  readonly written: number | "released" | null;
  readonly written_at: string | null;
  readonly found: number | null;
  readonly fault: string | null;
}

export const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const overrideStatus = ({ mode, who, by, atMs, untilMs }: Override): OverrideStatus => ({
  mode,
  who,
  by,
  at: new Date(atMs).toISOString(),
  until: iso(untilMs),
});

export const outlookStatus = ({ isAnnounced, nextStartMs, nextEndMs, askedKw }: Outlook): OutlookStatus => ({
  announced: isAnnounced,
  next_start: iso(nextStartMs),
  next_end: iso(nextEndMs),
  asked_kw: askedKw,
});

export const dispatchStatus = ({
  dispatchId,
  startMs,
  endMs,
  commitmentKw,
  isTest,
}: DispatchWindow): DispatchStatus => ({
  id: dispatchId,
  start_time: new Date(startMs).toISOString(),
  end_time: iso(endMs),
  commitment_kw: commitmentKw,
  test: isTest,
});

export const outputStatus = ({ name, wanted, written, writtenAtMs, found, fault }: OutputStatus): OutputWords => ({
  name,
  wanted: wordOf(wanted),
  written: wordOf(written),
  written_at: iso(writtenAtMs),
  found,
  fault,
});

const wordOf = (value: number | null | undefined): number | "released" | null =>
  value === null ? "released" : (value ?? null);
