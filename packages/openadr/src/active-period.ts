import { formatDateTime } from "./date-time.js";
import { formatDuration } from "./duration.js";
import { branch, child, type Element, leaf, optionalChild, type QualifiedName } from "./element.js";
import { durationSeconds, moment } from "./scalars.js";

/** When an event is active: `ei:eiActivePeriod`. */
export interface ActivePeriod {
  readonly start: Date;
  /** 0 means open-ended. */
  readonly durationSeconds: number;
  /** Window after the start in which a VEN may choose when to begin. */
  readonly startAfterSeconds: number | null;
  readonly notificationSeconds: number;
  readonly rampUpSeconds: number | null;
  readonly recoverySeconds: number | null;
}

export const activePeriodElement = (period: ActivePeriod): Element =>
  branch(
    "ei:eiActivePeriod",
    branch(
      "xcal:properties",
      branch("xcal:dtstart", leaf("xcal:date-time", formatDateTime(period.start))),
      durationElement("xcal:duration", period.durationSeconds),
      toleranceElement(period.startAfterSeconds),
      durationElement("ei:x-eiNotification", period.notificationSeconds),
      optionalDuration("ei:x-eiRampUp", period.rampUpSeconds),
      optionalDuration("ei:x-eiRecovery", period.recoverySeconds),
    ),
    // Required and always empty.
    branch("xcal:components"),
  );

export const readActivePeriod = (parent: Element): ActivePeriod => {
  const properties = child(parent, "xcal:properties");
  return {
    start: moment(child(properties, "xcal:dtstart"), "xcal:date-time"),
    durationSeconds: readDuration(child(properties, "xcal:duration")),
    startAfterSeconds: readStartAfter(properties),
    notificationSeconds: optionalSeconds(properties, "ei:x-eiNotification") ?? 0,
    rampUpSeconds: optionalSeconds(properties, "ei:x-eiRampUp"),
    recoverySeconds: optionalSeconds(properties, "ei:x-eiRecovery"),
  };
};

/** A duration inside another element, as everywhere in OpenADR 2.0a except in the tolerance. */
export const durationElement = (name: QualifiedName, seconds: number): Element =>
  branch(name, leaf("xcal:duration", formatDuration(seconds)));

export const readDuration = (parent: Element): number => durationSeconds(parent, "xcal:duration");

const optionalDuration = (name: QualifiedName, seconds: number | null): Element | null =>
  seconds === null ? null : durationElement(name, seconds);

const optionalSeconds = (parent: Element, name: QualifiedName): number | null => {
  const found = optionalChild(parent, name);
  return found === null ? null : readDuration(found);
};

const toleranceElement = (startAfterSeconds: number | null): Element | null =>
  startAfterSeconds === null
    ? null
    : branch("xcal:tolerance", branch("xcal:tolerate", leaf("xcal:startafter", formatDuration(startAfterSeconds))));

const readStartAfter = (properties: Element): number | null => {
  const tolerance = optionalChild(properties, "xcal:tolerance");
  const tolerate = tolerance === null ? null : optionalChild(tolerance, "xcal:tolerate");
  if (tolerate === null || optionalChild(tolerate, "xcal:startafter") === null) return null;
  return durationSeconds(tolerate, "xcal:startafter");
};
