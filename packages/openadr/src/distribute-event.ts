import { branch, childrenOf, type Element, leaf, optionalChild, optionalText, text } from "./element.js";
import { type Event, eventElement, readEvent } from "./event.js";
import { type EiResponse, eiResponseElement, readEiResponse } from "./response.js";

/** All events of a VEN: `oadr:oadrDistributeEvent`. A missing event counts as cancelled. */
export interface DistributeEvent {
  readonly kind: "distributeEvent";
  readonly response: EiResponse | null;
  readonly requestId: string;
  readonly vtnId: string;
  readonly events: readonly Event[];
}

export const distributeEventElement = (message: DistributeEvent): Element =>
  branch(
    "oadr:oadrDistributeEvent",
    message.response === null ? null : eiResponseElement(message.response),
    leaf("pyld:requestID", message.requestId),
    leaf("ei:vtnID", message.vtnId),
    ...message.events.map(eventElement),
  );

export const readDistributeEvent = (root: Element): DistributeEvent => {
  const response = optionalChild(root, "ei:eiResponse");
  return {
    kind: "distributeEvent",
    response: response === null ? null : readEiResponse(response),
    requestId: optionalText(root, "pyld:requestID") ?? "",
    vtnId: text(root, "ei:vtnID"),
    events: childrenOf(root, "oadr:oadrEvent").map(readEvent),
  };
};
