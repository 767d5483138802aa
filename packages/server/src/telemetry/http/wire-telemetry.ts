import { ZERO } from "../../platform/http/ascii.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import type { AnsweredSite, MeterPoints, TelemetryAnswer } from "../operations/read-telemetry.js";
import { writeNumber } from "./wire-number-bytes.js";

/**
 * The reply of GET /telemetry/kw as JSON, piece by piece, written byte by byte: building 10,000 points as objects, then
 * text, then bytes costs several times as much as fetching them.
 */
export async function* telemetryJson(
  { sites, pieces }: Visible<TelemetryAnswer>,
  intervalSeconds: number,
): AsyncGenerator<Buffer> {
  const writer = new AnswerWriter(sites, intervalSeconds);
  let piece = new ByteWriter(0);
  for await (const points of pieces) {
    if (!piece.isEmpty) yield piece.written();
    piece = writer.write(points);
  }
  const end = writer.end();
  // There is almost always room for it: an answer of one piece is then sent without copying.
  if (!piece.hasRoom(end)) {
    yield piece.written();
    piece = new ByteWriter(end.length);
  }
  piece.text(end);
  yield piece.written();
}

const LONGEST_NUMBER = 25;
const AFTER_VALUE = ',"units":"kw"}';

/** Maximum size of any point. */
export const MOST_BYTES_A_POINT = 120;

/** Writes an answer from start to end; meters without points are written when the next one begins. */
class AnswerWriter {
  private site = -1;
  private meter = -1;
  private hasPoints = false;
  private readonly point: PointTemplate;

  constructor(
    private readonly sites: readonly AnsweredSite[],
    intervalSeconds: number,
  ) {
    this.point = new PointTemplate(intervalSeconds);
  }

  write({ site, meter, labels, values }: MeterPoints): ByteWriter {
    const before = this.moveToSite(site) + this.moveToMeter(meter);
    const out = new ByteWriter(before.length + labels.length * (this.point.between.length + LONGEST_NUMBER));
    out.text(before);
    for (let index = 0; index < labels.length; index++) {
      const between = this.point.labelled(labels[index] ?? 0);
      out.bytes(this.hasPoints ? between : this.point.first);
      out.number(values[index] ?? 0);
      this.hasPoints = true;
    }
    return out;
  }

  /** Writes what is still missing. */
  end(): string {
    return `${this.moveToSite(this.sites.length)}]}}`;
  }

  private moveToSite(to: number): string {
    let text = this.site < 0 ? '{"data":{"sites":[' : "";
    while (this.site < to) {
      if (this.site >= 0) text += `${this.moveToMeter(this.meterIds.length)}]}`;
      this.site += 1;
      this.meter = -1;
      if (this.site === this.sites.length) break;
      text += `${this.site === 0 ? "" : ","}{"site_id":${JSON.stringify(this.sites[this.site]?.siteId)},"meters":[`;
    }
    return text;
  }

  private moveToMeter(to: number): string {
    let text = "";
    while (this.meter < to) {
      if (this.meter >= 0) text += this.hasPoints ? `${AFTER_VALUE}]}` : "]}";
      this.meter += 1;
      this.hasPoints = false;
      if (this.meter === this.meterIds.length) break;
      text += `${this.meter === 0 ? "" : ","}{"meter_id":${JSON.stringify(this.meterIds[this.meter])},"telemetry":[`;
    }
    return text;
  }

  private get meterIds(): readonly string[] {
    return this.sites[this.site]?.meterIds ?? [];
  }
}

/** The bytes between two values. From point to point only minutes and seconds change; the date changes once an hour. */
class PointTemplate {
  readonly between: Buffer;
  /** The bytes before the first value: the same memory, without the end of the previous point. */
  readonly first: Buffer;
  private readonly dateAt: number;
  private hour = Number.NaN;

  constructor(intervalSeconds: number) {
    const before = `${AFTER_VALUE},{"interval_seconds":${intervalSeconds},"timestamp":"`;
    this.between = Buffer.from(`${before}0000-00-00T00:00:00Z","value":`);
    this.first = this.between.subarray(AFTER_VALUE.length + 1);
    this.dateAt = before.length;
  }

  labelled(seconds: number): Buffer {
    const hour = Math.floor(seconds / 3600);
    if (hour !== this.hour) {
      this.hour = hour;
      this.between.write(new Date(hour * 3_600_000).toISOString().slice(0, 14), this.dateAt, "latin1");
    }
    const inHour = seconds - hour * 3600;
    this.twoDigits(this.dateAt + 14, Math.floor(inHour / 60));
    this.twoDigits(this.dateAt + 17, inHour % 60);
    return this.between;
  }

  private twoDigits(at: number, value: number): void {
    this.between[at] = ZERO + Math.floor(value / 10);
    this.between[at + 1] = ZERO + (value % 10);
  }
}

/** Fills a buffer that is large enough, with ASCII only. */
class ByteWriter {
  private readonly buffer: Buffer;
  private at = 0;

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  get isEmpty(): boolean {
    return this.at === 0;
  }

  hasRoom(text: string): boolean {
    return text.length <= this.buffer.length - this.at;
  }

  text(text: string): void {
    this.at += this.buffer.write(text, this.at, "latin1");
  }

  number(value: number): void {
    this.at = writeNumber(this.buffer, this.at, value);
  }

  bytes(bytes: Buffer): void {
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  written(): Buffer {
    return this.buffer.subarray(0, this.at);
  }
}
