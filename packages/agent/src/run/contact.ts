import type { Client } from "@curtail/client";
import { askForDispatches, type DispatchNews } from "../service/dispatch-source.js";
import type { ServiceStatus } from "../status/status.js";
import type { Clock } from "./clock.js";
import type { ChangeLog } from "./log.js";

/** A difference of clocks that starts and ends curtailments noticeably late. */
const LARGEST_SKEW_SECONDS = 5;

/** Contact with the service: what it last said. */
export class Contact {
  private fault: string | null = null;
  private clockAheadMs: number | null = null;

  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
    private readonly changes: ChangeLog,
  ) {}

  /** Asks once. */
  async ask(signal: AbortSignal): Promise<DispatchNews> {
    const news = await askForDispatches(this.client, signal);
    if (signal.aborted) return news;
    this.fault = "fault" in news ? news.fault : null;
    this.changes.note("service", this.fault);
    if ("windows" in news) this.compareClocks(news.serviceTimeMs);
    return news;
  }

  get status(): Pick<ServiceStatus, "fault" | "clock_ahead_seconds"> {
    return {
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
