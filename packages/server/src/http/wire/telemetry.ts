import type { MeterPoints, SitePoints } from "../../operations/read-telemetry.js";
import { ZERO } from "../ascii.js";
import { writeNumber } from "./number-bytes.js";

/**
 * The reply of GET /telemetry/kw as JSON, written byte by byte: 10,000 points as objects, then as text, then as
 * bytes, cost several times what fetching them does.
 */
export const telemetryJson = (sites: readonly SitePoints[], intervalSeconds: number): Buffer => {
  const point = new PointTemplate(intervalSeconds);
  const out = new ByteWriter(sizeOf(sites, point));
  out.text('{"data":{"sites":[');
  for (const [index, { siteId, meters }] of sites.entries()) {
    out.text(`${index === 0 ? "" : ","}{"site_id":${JSON.stringify(siteId)},"meters":[`);
    for (const [at, meter] of meters.entries()) writeMeter(out, meter, point, at === 0 ? "" : ",");
    out.text("]}");
  }
  out.text("]}}");
  return out.written();
};

const writeMeter = (
  out: ByteWriter,
  { meterId, labels, values }: MeterPoints,
  point: PointTemplate,
  before: string,
): void => {
  out.text(`${before}{"meter_id":${JSON.stringify(meterId)},"telemetry":[`);
  for (let index = 0; index < labels.length; index++) {
    const between = point.labelled(labels[index] ?? 0);
    out.bytes(index === 0 ? point.first : between);
    out.number(values[index] ?? 0);
  }
  out.text(labels.length === 0 ? "]}" : `${AFTER_VALUE}]}`);
};

const AFTER_VALUE = ',"units":"kw"}';
const LONGEST_NUMBER = 25;
const LONGEST_IDS = 200;

const sizeOf = (sites: readonly SitePoints[], point: PointTemplate): number => {
  let size = LONGEST_IDS;
  for (const { meters } of sites) {
    size += LONGEST_IDS;
    for (const { labels } of meters) {
      size += LONGEST_IDS + labels.length * (point.between.length + LONGEST_NUMBER);
    }
  }
  return size;
};

/** What stands between two values. From point to point only minutes and seconds change; the date once an hour. */
class PointTemplate {
  readonly between: Buffer;
  /** What stands before the first value: the same memory, without the end of a point before. */
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

/** Fills a buffer that is known to be large enough, with ASCII only. */
class ByteWriter {
  private readonly buffer: Buffer;
  private at = 0;

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size);
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
