import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { postReadings } from "./load.js";
import type { MillionAccount } from "./million-portfolio.js";

const INTERVAL_MS = 60_000;
const POLL_EVERY_MS = 30_000;
const READ_EVERY_MS = 500;
const READ_MS = 15 * INTERVAL_MS;
const UPLOADS_AT_ONCE = 32;

/**
 * Every account sends a reading of each of its meters once a minute, and polls twice: spread over the time, whatever the answers take.
 * Twice a second a site's last quarter of an hour is read, and compared with what was acknowledged.
 */
export class MillionLoad {
  uploadsMs: number[] = [];
  pollsMs: number[] = [];
  readsMs: number[] = [];
  readings = 0;
  /** Uploads that were due and not begun. */
  behind = 0;
  private readonly uploader = new Agent({ connections: UPLOADS_AT_ONCE, pipelining: 1 });
  private readonly poller = new Agent({ connections: 8, pipelining: 1 });
  private readonly underWay = new Set<Promise<void>>();
  private running = true;
  private readonly loops: Promise<void>[];

  constructor(
    private readonly url: string,
    accounts: readonly MillionAccount[],
  ) {
    this.loops = [
      this.spread(accounts, INTERVAL_MS, (account) => this.upload(account)),
      this.spread(accounts, POLL_EVERY_MS, (account) => this.poll(account)),
      this.spread(accounts, READ_EVERY_MS * accounts.length, (account) => this.read(account)),
    ];
  }

  /** What was measured since the last call. */
  taken() {
    const { uploadsMs, pollsMs, readsMs, readings, behind } = this;
    this.uploadsMs = [];
    this.pollsMs = [];
    this.readsMs = [];
    this.readings = 0;
    return { uploadsMs, pollsMs, readsMs, readings, behind };
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.loops);
    await Promise.all(this.underWay);
    await Promise.all([this.uploader.close(), this.poller.close()]);
  }

  private async spread(
    accounts: readonly MillionAccount[],
    everyMs: number,
    send: (account: MillionAccount) => Promise<void>,
  ): Promise<void> {
    const beganMs = performance.now();
    for (let count = 0; this.running; count++) {
      const dueMs = beganMs + (count * everyMs) / accounts.length;
      if (dueMs > performance.now()) await sleep(dueMs - performance.now());
      const account = accounts[count % accounts.length];
      if (account === undefined) return;
      const sent = send(account);
      this.underWay.add(sent);
      void sent.finally(() => this.underWay.delete(sent));
      this.behind = Math.max(0, this.underWay.size - UPLOADS_AT_ONCE);
    }
  }

  private async upload({ key, meterIds, sentAtMs }: MillionAccount): Promise<void> {
    const endMs = Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS;
    const timestamp = `${new Date(endMs).toISOString().slice(0, 19)}Z`;
    const readings = meterIds.map(
      (id, index) =>
        `{"meter_id":"${id}","interval_seconds":60,"timestamp":"${timestamp}","kW":${powerAt(endMs, index)}}`,
    );
    const body = Buffer.from(`{"telemetry":[${readings.join(",")}]}`);
    this.uploadsMs.push(await postReadings(this.url, key, body, this.uploader));
    this.readings += meterIds.length;
    sentAtMs.add(endMs);
    for (const old of sentAtMs) if (old < endMs - 2 * READ_MS) sentAtMs.delete(old);
  }

  /** Throws unless the answer has what was acknowledged before it was asked for, and nothing else. */
  private async read({ key, siteIds, meterIds, sentAtMs }: MillionAccount): Promise<void> {
    const [beganMs, known, now] = [performance.now(), new Set(sentAtMs), Date.now()];
    const from = Math.floor(now / INTERVAL_MS) * INTERVAL_MS - READ_MS;
    const siteId = siteIds[Math.floor(Math.random() * siteIds.length)] ?? "";
    const query = new URLSearchParams({
      site_id: siteId,
      start_time: new Date(from).toISOString(),
      end_time: new Date(now).toISOString(),
      interval_seconds: "30",
    });
    const answer = await request(`${this.url}/2022-04-15/telemetry/kw?${query.toString()}`, {
      headers: { "x-service-api-key": key },
      dispatcher: this.poller,
    });
    const { data } = (await answer.body.json()) as SiteReadings;
    this.readsMs.push(performance.now() - beganMs);
    for (const { meter_id: id, telemetry } of data.sites.flatMap(({ meters }) => meters)) {
      const index = meterIds.indexOf(id);
      const ends = new Set<number>();
      for (const { timestamp, value } of telemetry) {
        const endMs = Math.ceil(Date.parse(timestamp) / INTERVAL_MS) * INTERVAL_MS;
        ends.add(endMs);
        if (value !== powerAt(endMs, index)) throw new Error(`meter ${id} has ${value} at ${timestamp}`);
      }
      const lost = [...known].find((endMs) => endMs > from && !ends.has(endMs));
      if (lost !== undefined) throw new Error(`meter ${id} has no reading at ${new Date(lost).toISOString()}`);
    }
  }

  private async poll({ key }: MillionAccount): Promise<void> {
    const beganMs = performance.now();
    const answer = await request(`${this.url}/2022-04-15/dispatches`, {
      headers: { "x-service-api-key": key },
      dispatcher: this.poller,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`a poll answered ${answer.statusCode}`);
    this.pollsMs.push(performance.now() - beganMs);
  }
}

const powerAt = (endMs: number, meter: number): number => 15 + ((endMs / INTERVAL_MS + meter) % 97) / 10;

interface SiteReadings {
  readonly data: {
    readonly sites: ReadonlyArray<{
      readonly meters: ReadonlyArray<{
        readonly meter_id: string;
        readonly telemetry: ReadonlyArray<{ readonly timestamp: string; readonly value: number }>;
      }>;
    }>;
  };
}
