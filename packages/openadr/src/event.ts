import { type ActivePeriod, activePeriodElement, readActivePeriod } from "./active-period.js";
import { branch, child, childrenOf, type Element, leaf, text } from "./element.js";
import { type EventDescriptor, eventDescriptorElement, readEventDescriptor } from "./event-descriptor.js";
import { type EventSignal, eventSignalElement, readEventSignal } from "./event-signal.js";
import { type EventTarget, eventTargetElement, readEventTarget } from "./event-target.js";
import { oneOf } from "./scalars.js";

/** One event as sent to a VEN: `oadr:oadrEvent`. */
export interface Event {
  readonly descriptor: EventDescriptor;
  readonly activePeriod: ActivePeriod;
  /** At least one. */
  readonly signals: readonly EventSignal[];
  readonly target: EventTarget;
  /** Whether the VEN has to send an oadrCreatedEvent. */
  readonly responseRequired: "always" | "never";
}

export const eventElement = (event: Event): Element =>
  branch(
    "oadr:oadrEvent",
    branch(
      "ei:eiEvent",
      eventDescriptorElement(event.descriptor),
      activePeriodElement(event.activePeriod),
      branch("ei:eiEventSignals", ...event.signals.map(eventSignalElement)),
      eventTargetElement(event.target),
    ),
    leaf("oadr:oadrResponseRequired", event.responseRequired),
  );

export const readEvent = (parent: Element): Event => {
  const event = child(parent, "ei:eiEvent");
  return {
    descriptor: readEventDescriptor(child(event, "ei:eventDescriptor")),
    activePeriod: readActivePeriod(child(event, "ei:eiActivePeriod")),
    signals: childrenOf(child(event, "ei:eiEventSignals"), "ei:eiEventSignal").map(readEventSignal),
    target: readEventTarget(child(event, "ei:eiTarget")),
    responseRequired: oneOf(
      ["always", "never"],
      text(parent, "oadr:oadrResponseRequired"),
      "oadr:oadrResponseRequired",
    ),
  };
};
