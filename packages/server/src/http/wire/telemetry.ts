import type { MeterPoints, SitePoints } from "../../operations/read-telemetry.js";

const HOUR_SECONDS = 3600;

/**
 * The reply of GET /telemetry/kw as JSON text. Written directly: 10,000 points as objects, then as JSON,
 * cost several times what fetching them does.
 */
export const telemetryJson = (sites: readonly SitePoints[], intervalSeconds: number): Buffer => {
  const hours = new HourPrefixes(intervalSeconds);
  const bodies = sites.map(
    ({ siteId, meters }) =>
      `{"site_id":${JSON.stringify(siteId)},"meters":[${meters.map((meter) => meterJson(meter, hours)).join(",")}]}`,
  );
  // Ids are ASCII, numbers and times too: one byte a character.
  return Buffer.from(`{"data":{"sites":[${bodies.join(",")}]}}`, "latin1");
};

const meterJson = ({ meterId, labels, values }: MeterPoints, hours: HourPrefixes): string => {
  let points = "";
  for (let index = 0; index < labels.length; index++) {
    if (index > 0) points += ",";
    points += `${hours.before(labels[index] ?? 0)}${values[index]},"units":"kw"}`;
  }
  return `{"meter_id":${JSON.stringify(meterId)},"telemetry":[${points}]}`;
};

/** What stands before a value; the hour's part is made once, the minutes and seconds once for all hours. */
class HourPrefixes {
  private hour = Number.NaN;
  private prefix = "";
  private readonly suffixes = new Map<number, string>();

  constructor(private readonly intervalSeconds: number) {}

  before(labelSeconds: number): string {
    const hour = Math.floor(labelSeconds / HOUR_SECONDS);
    if (hour !== this.hour) {
      this.hour = hour;
      const date = new Date(hour * HOUR_SECONDS * 1000).toISOString().slice(0, 14);
      this.prefix = `{"interval_seconds":${this.intervalSeconds},"timestamp":"${date}`;
    }
    return this.prefix + this.suffix(labelSeconds - hour * HOUR_SECONDS);
  }

  private suffix(seconds: number): string {
    let suffix = this.suffixes.get(seconds);
    if (suffix === undefined) {
      const [minute, second] = [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0"));
      suffix = `${minute}:${second}Z","value":`;
      this.suffixes.set(seconds, suffix);
    }
    return suffix;
  }
}
