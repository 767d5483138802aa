import {
  type ControllableLoadReading,
  type Participant,
  type TelemetryReading,
  upload,
  uploadControllableLoad,
} from "@curtail/client";

/** Readings go to one of two addresses of the interface. */
export type Kind = "telemetry" | "controllable-load";

export const kindOf = ({ controllableLoad }: { readonly controllableLoad?: true }): Kind =>
  controllableLoad === true ? "controllable-load" : "telemetry";

/** What became of readings, by their index. */
export interface UploadedReadings {
  readonly stored: number;
  readonly setAside: ReadonlyArray<{ readonly index: number; readonly reading: object; readonly reason: string }>;
  /** What production would refuse, of an upload to the sandbox. */
  readonly warnings: readonly string[];
}

export const uploadReadings = (
  {
    participant,
    kind,
    signal,
  }: { readonly participant: Participant; readonly kind: Kind; readonly signal: AbortSignal },
  readings: readonly object[],
): Promise<UploadedReadings> =>
  kind === "controllable-load"
    ? uploadControllableLoad(participant, readings as ControllableLoadReading[], { signal })
    : upload(participant, readings as TelemetryReading[], { signal });

/** Splits readings, in their order. */
export function* partsOf(readings: Iterable<object>, size: number): Generator<readonly object[]> {
  let part: object[] = [];
  for (const reading of readings) {
    part.push(reading);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
