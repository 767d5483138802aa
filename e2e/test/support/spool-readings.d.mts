import type { TelemetryReading } from "@curtail/client";

/** Whether the service refuses the reading with this number. */
export declare const isRefused: (number: number) => boolean;
/** The reading with a number: minute by minute, meter by meter, each with a power of its own. */
export declare const readingAt: (
  number: number,
  of: { readonly meters: readonly string[]; readonly startMs: number },
) => TelemetryReading & { readonly kW: number };
