import { formatDateTime } from "./date-time.js";
import { branch, child, type Element, leaf, optionalLeaf, optionalText, text } from "./element.js";
import { count, moment, oneOf, optionalCount } from "./scalars.js";

const EVENT_STATUSES = ["none", "far", "near", "active", "completed", "cancelled"] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Identity and state of an event: `ei:eventDescriptor`. */
export interface EventDescriptor {
  readonly eventId: string;
  readonly modificationNumber: number;
  /** Lower numbers come first. */
  readonly priority: number | null;
  readonly marketContext: string;
  readonly createdAt: Date;
  readonly status: EventStatus;
  readonly test: boolean;
  readonly vtnComment: string | null;
}

export const eventDescriptorElement = (descriptor: EventDescriptor): Element =>
  branch(
    "ei:eventDescriptor",
    leaf("ei:eventID", descriptor.eventId),
    leaf("ei:modificationNumber", descriptor.modificationNumber),
    optionalLeaf("ei:priority", descriptor.priority),
    branch("ei:eiMarketContext", leaf("emix:marketContext", descriptor.marketContext)),
    leaf("ei:createdDateTime", formatDateTime(descriptor.createdAt)),
    leaf("ei:eventStatus", descriptor.status),
    leaf("ei:testEvent", String(descriptor.test)),
    optionalLeaf("ei:vtnComment", descriptor.vtnComment),
  );

export const readEventDescriptor = (parent: Element): EventDescriptor => ({
  eventId: text(parent, "ei:eventID"),
  modificationNumber: count(parent, "ei:modificationNumber"),
  priority: optionalCount(parent, "ei:priority"),
  marketContext: text(child(parent, "ei:eiMarketContext"), "emix:marketContext"),
  createdAt: moment(parent, "ei:createdDateTime"),
  status: oneOf(EVENT_STATUSES, text(parent, "ei:eventStatus"), "ei:eventStatus"),
  // Free text in the schema: any value except "false" marks a test.
  test: (optionalText(parent, "ei:testEvent") ?? "false").toLowerCase() !== "false",
  vtnComment: optionalText(parent, "ei:vtnComment"),
});
