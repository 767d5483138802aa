import type { LivePerformance } from "../../operations/live-performance.js";
import type { KeyPorts } from "../../operations/manage-keys.js";
import type { WebhookPorts } from "../../operations/manage-webhooks.js";
import type { LastReading, TelemetryReader } from "../../operations/read-telemetry.js";
import type { PerformanceView } from "../../operations/view-performance.js";

/** What the operator API works with. */
export type OperatorPorts = KeyPorts &
  Pick<WebhookPorts, "newSecret" | "probe"> & {
    /** Address under which people reach the service, without a slash at its end. */
    readonly publicUrl: string;
    readonly performance: PerformanceView;
    readonly live: LivePerformance;
    readonly telemetry: TelemetryReader;
    lastReadings(meterIds: readonly string[]): Promise<ReadonlyMap<string, LastReading>>;
    /** Makes this process ask anew for every key. */
    forgetKeys(): void;
  };

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members of a change that the request brought. */
export const given = <T extends Record<string, unknown>>(change: T): Given<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Given<T>;
