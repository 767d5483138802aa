import { ErrorResponse, type Participant, upload } from "@curtail/client";
import { backoffMs } from "../devices/backoff.js";
import { messageOf } from "../devices/device.js";
import type { Reading } from "../readings/meter-sampler.js";
import { rest } from "../run/loops.js";
import { type ReadingsBuffer, type ReadingsSink, type SinkStatus, wireReading } from "./readings-sink.js";

/** Readings of one upload. */
const BATCH = 5_000;

/** Uploads what a buffer holds, oldest first; what the service refuses is set aside with its reason. */
export class UploadingSink implements ReadingsSink {
  private readonly stopping = new AbortController();
  private news = new AbortController();
  private readonly loop: Promise<void>;
  private refused = 0;
  private fault: string | null = null;

  constructor(
    private readonly buffer: ReadingsBuffer,
    private readonly participant: Pick<Participant, "uploadTelemetry">,
  ) {
    this.loop = this.run();
  }

  get status(): SinkStatus {
    return { waiting: this.buffer.size, refused: this.refused, fault: this.fault };
  }

  async put(readings: readonly Reading[]): Promise<void> {
    if (readings.length === 0) return;
    await this.buffer.append(readings.map(wireReading));
    this.news.abort();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.news.abort();
    await this.loop;
    await this.buffer.close();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted; ) {
      const sent = await this.sendSome();
      failures = sent === "failed" ? failures + 1 : 0;
      if (sent === "nothing") await this.waitForNews();
      if (sent === "failed") await rest(backoffMs(failures), signal);
    }
  }

  private async sendSome(): Promise<"sent" | "nothing" | "failed"> {
    // Before it is read: what comes meanwhile must wake the loop.
    this.news = new AbortController();
    if (this.stopping.signal.aborted) return "nothing";
    try {
      const taken = await this.buffer.take(BATCH);
      if (taken.readings.length === 0) return "nothing";
      const { setAside } = await upload(this.participant, taken.readings, { signal: this.stopping.signal });
      await taken.retire(setAside.map(({ reading, reason }) => ({ reading, reason })));
      this.refused += setAside.length;
      this.fault = null;
      return "sent";
    } catch (error) {
      this.fault = error instanceof ErrorResponse ? (error.reason ?? `status ${error.status}`) : messageOf(error);
      return "failed";
    }
  }

  private async waitForNews(): Promise<void> {
    const { signal } = this.news;
    if (signal.aborted || this.stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
