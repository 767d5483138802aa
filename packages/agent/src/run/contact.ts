import type { Client } from "@curtail/client";
import type { DispatchWindow } from "../control/dispatch-window.js";
import { askForDispatches } from "../service/dispatch-source.js";
import { iso, type ServiceStatus } from "../status/status.js";
import type { Clock } from "./clock.js";
import type { ChangeLog } from "./log.js";

/** A difference of clocks that starts and ends curtailments noticeably late. */
const LARGEST_SKEW_SECONDS = 5;

/** Contact with the service: when it last answered, and what it said. */
export class Contact {
  atMs: number | null;
  private monotonicMs: number;
  private fault: string | null = null;
  private clockAheadMs: number | null = null;

  /** @param atMs when the service last answered, from before a restart */
  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
    private readonly changes: ChangeLog,
    atMs: number | null,
  ) {
    this.atMs = atMs;
    this.monotonicMs = clock.monotonic() - (atMs === null ? 0 : Math.max(0, clock.now() - atMs));
  }

  /** Time since the service last answered, or since the first start. */
  get silentMs(): number {
    return this.clock.monotonic() - this.monotonicMs;
  }

  /** Asks once; null without an answer. */
  async ask(
    signal: AbortSignal,
  ): Promise<{ readonly windows: ReadonlyMap<string, readonly DispatchWindow[]> } | { readonly retryAfterMs: number }> {
    const news = await askForDispatches(this.client, signal);
    if (signal.aborted) return { retryAfterMs: 0 };
    if ("fault" in news) {
      this.fault = news.fault;
      this.changes.note("service", news.fault);
      return news;
    }
    this.atMs = this.clock.now();
    this.monotonicMs = this.clock.monotonic();
    this.fault = null;
    this.changes.note("service", null);
    this.compareClocks(news.serviceTimeMs);
    return news;
  }

  status(url: string, lostAfterMs: number): ServiceStatus {
    return {
      url,
      contact_at: iso(this.atMs),
      is_lost: this.silentMs >= lostAfterMs,
      fault: this.fault,
      clock_ahead_seconds: this.clockAheadMs === null ? null : Math.round(this.clockAheadMs / 1000),
    };
  }

  /** Dispatches begin by this machine's clock. */
  private compareClocks(serviceTimeMs: number | null): void {
    this.clockAheadMs = serviceTimeMs === null ? null : this.clock.now() - serviceTimeMs;
    const seconds = Math.round((this.clockAheadMs ?? 0) / 1000);
    const words = `is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service's`;
    this.changes.note("the clock of this machine", Math.abs(seconds) > LARGEST_SKEW_SECONDS ? words : null);
  }
}
