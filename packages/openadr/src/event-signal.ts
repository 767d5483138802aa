import { durationElement, readDuration } from "./active-period.js";
import { branch, child, childrenOf, type Element, leaf, text } from "./element.js";
import { decimal, oneOf } from "./scalars.js";

const SIGNAL_TYPES = [
  "delta",
  "level",
  "multiplier",
  "price",
  "priceMultiplier",
  "priceRelative",
  "product",
  "setpoint",
] as const;
export type SignalType = (typeof SIGNAL_TYPES)[number];

export interface SignalInterval {
  /** 0 means open-ended. */
  readonly durationSeconds: number;
  /** Counts from "0". */
  readonly uid: string;
  readonly level: number;
}

/**
 * What is requested and when: `ei:eiEventSignal`. OpenADR 2.0a supports only the name `simple` and the type `level`.
 */
export interface EventSignal {
  readonly name: string;
  readonly type: SignalType;
  readonly id: string;
  readonly intervals: readonly SignalInterval[];
  /** The level at the time of the message: that of the running interval while the event is active, else 0. */
  readonly currentLevel: number;
}

export const eventSignalElement = (signal: EventSignal): Element =>
  branch(
    "ei:eiEventSignal",
    branch("strm:intervals", ...signal.intervals.map(intervalElement)),
    leaf("ei:signalName", signal.name),
    leaf("ei:signalType", signal.type),
    leaf("ei:signalID", signal.id),
    branch("ei:currentValue", levelElement(signal.currentLevel)),
  );

export const readEventSignal = (parent: Element): EventSignal => ({
  name: text(parent, "ei:signalName"),
  type: oneOf(SIGNAL_TYPES, text(parent, "ei:signalType"), "ei:signalType"),
  id: text(parent, "ei:signalID"),
  intervals: childrenOf(child(parent, "strm:intervals"), "ei:interval").map(readInterval),
  currentLevel: readLevel(child(parent, "ei:currentValue")),
});

const intervalElement = (interval: SignalInterval): Element =>
  branch(
    "ei:interval",
    durationElement("xcal:duration", interval.durationSeconds),
    branch("xcal:uid", leaf("xcal:text", interval.uid)),
    branch("ei:signalPayload", levelElement(interval.level)),
  );

const readInterval = (parent: Element): SignalInterval => ({
  durationSeconds: readDuration(child(parent, "xcal:duration")),
  uid: text(child(parent, "xcal:uid"), "xcal:text"),
  level: readLevel(child(parent, "ei:signalPayload")),
});

/** Levels are written as floats: some VENs accept nothing else. */
const levelElement = (level: number): Element =>
  branch("ei:payloadFloat", leaf("ei:value", Number.isInteger(level) ? level.toFixed(1) : level));

const readLevel = (parent: Element): number => decimal(child(parent, "ei:payloadFloat"), "ei:value");
