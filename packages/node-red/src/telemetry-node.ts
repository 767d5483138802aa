import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Participant } from "@curtail/client";
import { FailureLog } from "./failure.js";
import { IntervalMeans, intervalEnd, type Source } from "./interval-means.js";
import { type Brought, broughtBy, type ReadingSettings, readingOfMean } from "./readings.js";
import { doneAfter, type NodeConfig, type Red, type RedNode } from "./red.js";
import { ReadingSender, type Sending } from "./send-readings.js";
import { participantAt } from "./server-node.js";

interface TelemetryConfig extends NodeConfig {
  readonly server?: string;
  readonly list?: "telemetry" | "controllable_load";
  /** Which of the two `source` is. */
  readonly sourceType?: "meter_id" | "site_id";
  readonly source?: string;
  /** Seconds. */
  readonly interval?: string | number;
  /** Megabytes of readings that are kept while they cannot be sent. */
  readonly limit?: string | number;
}

const DEFAULT_INTERVAL_S = 60;
const DEFAULT_LIMIT_MB = 100;
/** Values that were measured at the end of an interval may arrive a little later. */
const SETTLE_MS = 250;

export const registerTelemetry = (red: Red): void => {
  const construct = function (this: RedNode, config: TelemetryConfig): void {
    red.nodes.createNode(this, config);
    // The sender repeats by itself, and says at once what it waits for.
    const participant = participantAt(red, config.server, { attempts: 1 });
    const seconds = Number(config.interval) || DEFAULT_INTERVAL_S;
    if (participant === null) this.status({ fill: "red", shape: "ring", text: red._("status.noServer") });
    else if (seconds % 30 !== 0 || seconds < 30 || seconds > 300)
      this.error(`the interval is ${seconds} seconds; it must be 30 to 300, divisible by 30`);
    else send({ red, node: this, participant }, config, { ...settingsOf(config), intervalSeconds: seconds });
  };
  red.nodes.registerType("curtail-telemetry", construct);
};

interface Place {
  readonly red: Red;
  readonly node: RedNode;
  readonly participant: Participant;
}

const settingsOf = ({ list, source = "", sourceType }: TelemetryConfig): Omit<ReadingSettings, "intervalSeconds"> => ({
  list: list === "controllable_load" ? list : "telemetry",
  source: source.trim() === "" ? null : sourceOf(source.trim(), sourceType),
});

const sourceOf = (id: string, type: TelemetryConfig["sourceType"]): Source =>
  type === "site_id" ? { site_id: id } : { meter_id: id };

const send = (place: Place, config: TelemetryConfig, settings: ReadingSettings): void => {
  const { red, node, participant } = place;
  const stopping = new AbortController();
  const folder = join(red.settings.userDir ?? tmpdir(), "curtail", `telemetry-${node.id}`);
  const sender = new ReadingSender({
    participant,
    folder,
    list: settings.list,
    maxBytes: (Number(config.limit) || DEFAULT_LIMIT_MB) * 1_000_000,
    signal: stopping.signal,
    ...reports(place),
  });
  const means = new IntervalMeans(settings.intervalSeconds * 1000);
  const putEnded = (nowMs: number) => sender.put(means.take(nowMs).map((mean) => readingOfMean(mean, settings)));
  const take = async ({ values, readings, faults }: Brought): Promise<void> => {
    for (const { source, kW } of values) means.add(source, kW, participant.clock.now());
    for (const { payload, reason } of faults) node.send([null, { payload, reason }]);
    await sender.put(readings);
  };
  const failed = (error: unknown): void => node.error(String(error));
  const running = [
    sender.run().catch(failed),
    atEnds(place, settings.intervalSeconds * 1000, { signal: stopping.signal, put: putEnded }).catch(failed),
  ];
  node.on("input", (message, _send, done) => {
    void doneAfter(take(broughtBy(message, settings, participant.clock.now())), done);
  });
  node.on("close", (isRemoved, done) => {
    stopping.abort();
    // The running interval too: after the restart its reading is replaced if more values come.
    void putEnded(Number.POSITIVE_INFINITY)
      .catch(failed)
      .then(() => Promise.all(running))
      .then(() => sender.close())
      .then((isEmpty) => (isRemoved && isEmpty ? rm(folder, { recursive: true, force: true }) : undefined))
      .catch(failed)
      .finally(done);
  });
};

interface Ends {
  readonly signal: AbortSignal;
  readonly put: (nowMs: number) => Promise<void>;
}

/** Puts the readings of each interval when it has ended, until the signal is aborted. */
const atEnds = async (
  { node, participant: { clock } }: Place,
  intervalMs: number,
  { signal, put }: Ends,
): Promise<void> => {
  while (!signal.aborted) {
    const end = intervalEnd(clock.now() - SETTLE_MS + 1, intervalMs);
    await clock.sleep(end + SETTLE_MS - clock.now(), signal).catch(() => {});
    if (!signal.aborted) await put(clock.now() - SETTLE_MS).catch((error: unknown) => node.error(String(error)));
  }
};

type Reports = Pick<Sending, "onStored" | "onRefused" | "onFailure" | "onDropped">;

/** The line under the node, the outputs and the log. */
const reports = ({ red, node, participant }: Place): Reports => {
  const failures = new FailureLog((text) => node.error(text));
  return {
    onStored: (stored, waiting) => {
      failures.clear();
      const time = new Date(participant.clock.now()).toLocaleTimeString("en-GB");
      node.status({ fill: "green", shape: "dot", text: red._("status.stored", { time }) });
      if (stored > 0) node.send([{ payload: { stored, waiting } }, null]);
    },
    onRefused: (refused) => {
      for (const { reading, reason } of refused) node.send([null, { payload: reading, reason: withoutPlace(reason) }]);
    },
    onFailure: (error, waiting) => {
      const reason = failures.note(error);
      node.status({ fill: "red", shape: "ring", text: red._("status.waiting", { waiting, reason }) });
    },
    onDropped: (records) => node.error(red._("log.dropped", { records })),
  };
};

/** Where it was in the request means nothing to a flow. */
const withoutPlace = (reason: string): string => reason.replace(/^(?:telemetry|controllable_load)\[\d+\]\.?/, "");
