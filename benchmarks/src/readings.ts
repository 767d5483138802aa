/** Realistic readings, the same in every run. */
export interface ReadingSet {
  readonly meters: number;
  readonly steps: number;
  readonly intervalSeconds: number;
}

/** By meter: all of one meter, then the next. By time: one reading of every meter, then the next moment. */
export type ReadingOrder = "by meter" | "by time";

const START_MS = Date.UTC(2026, 0, 1);

export const timeAt = ({ intervalSeconds }: ReadingSet, step: number): string =>
  `${new Date(START_MS + (step + 1) * intervalSeconds * 1000).toISOString().slice(0, 19)}Z`;

/** Four decimals of kW, as meters send them. */
export const powerAt = (meter: number, step: number, addedKw = 0): number => {
  const noise = Math.sin((meter + 1) * 12.9898 + step * 78.233) * 43_758.5453;
  return Math.round((20 + 15 * Math.sin(step / 400 + meter) + (noise - Math.floor(noise)) + addedKw) * 10_000) / 10_000;
};

const readingJson = (set: ReadingSet, meterId: string, time: string, kw: number): string =>
  `{"meter_id":"${meterId}","interval_seconds":${set.intervalSeconds},"timestamp":"${time}","kW":${kw}}`;

/** The rows of COPY's file: meter, ts, seconds, kw. */
export function* copyRows(set: ReadingSet, order: ReadingOrder): Generator<string> {
  const outer = order === "by meter" ? set.meters : set.steps;
  const inner = order === "by meter" ? set.steps : set.meters;
  for (let first = 0; first < outer; first++) {
    for (let second = 0; second < inner; second++) {
      const [meter, step] = order === "by meter" ? [first, second] : [second, first];
      yield `${meter + 1}\t${timeAt(set, step)}\t${set.intervalSeconds}\t${powerAt(meter, step)}\n`;
    }
  }
}

const READINGS_PER_BULK_UPLOAD = 10_000;

/** How an upload is written. */
export interface UploadFormat {
  readonly reading: (set: ReadingSet, meterId: string, meter: number, step: number) => string;
  readonly body: (readings: readonly string[]) => string;
}

/** @param addedKw to each power */
export const jsonWith = (addedKw: number): UploadFormat => ({
  reading: (set, meterId, meter, step) => readingJson(set, meterId, timeAt(set, step), powerAt(meter, step, addedKw)),
  body: (readings) => `{"telemetry":[${readings.join(",")}]}`,
});

const json = jsonWith(0);

/** The line protocol of InfluxDB, in whole seconds. */
export const lines: UploadFormat = {
  reading: (set, meterId, meter, step) =>
    `power,meter=${meterId} kw=${powerAt(meter, step)} ${Date.parse(timeAt(set, step)) / 1000}`,
  body: (readings) => readings.join("\n"),
};

/** Uploads of the whole set, built in advance; by meter, several meters are uploaded in parallel. */
export const bodiesOf = (
  set: ReadingSet,
  meterIds: readonly string[],
  order: ReadingOrder,
  format = json,
): Buffer[] => {
  if (order === "by time")
    return Array.from({ length: set.steps }, (_, step) => uploadBody(set, meterIds, step, format));
  const parts = Math.ceil(set.steps / READINGS_PER_BULK_UPLOAD);
  return Array.from({ length: parts }, (_, part) => part * READINGS_PER_BULK_UPLOAD).flatMap((first) =>
    meterIds.map((meterId, meter) => {
      const count = Math.min(READINGS_PER_BULK_UPLOAD, set.steps - first);
      return bodyOf(format, count, (index) => format.reading(set, meterId, meter, first + index));
    }),
  );
};

/** One reading of every meter. */
export const uploadBody = (set: ReadingSet, meterIds: readonly string[], step: number, format = json): Buffer =>
  bodyOf(format, set.meters, (meter) => format.reading(set, meterIds[meter] ?? "", meter, step));

const bodyOf = ({ body }: UploadFormat, count: number, reading: (index: number) => string): Buffer =>
  Buffer.from(body(Array.from({ length: count }, (_, index) => reading(index))));
