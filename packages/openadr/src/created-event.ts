import { branch, child, childrenOf, type Element, leaf, optionalChild, text } from "./element.js";
import { type EiResponse, eiResponseElement, okResponse, outcomeElements, readEiResponse } from "./response.js";
import { count, oneOf } from "./scalars.js";

export type OptType = "optIn" | "optOut";

/** A VEN's answer to one modification of one event. */
export interface EventResponse extends EiResponse {
  readonly eventId: string;
  readonly modificationNumber: number;
  readonly optType: OptType;
}

/** A VEN's acknowledgement of events: `oadr:oadrCreatedEvent`. */
export interface CreatedEvent {
  readonly kind: "createdEvent";
  readonly response: EiResponse;
  readonly eventResponses: readonly EventResponse[];
  readonly venId: string;
}

export const createdEventElement = (message: CreatedEvent): Element =>
  branch(
    "oadr:oadrCreatedEvent",
    branch(
      "pyld:eiCreatedEvent",
      eiResponseElement(message.response),
      message.eventResponses.length === 0
        ? null
        : branch("ei:eventResponses", ...message.eventResponses.map(eventResponseElement)),
      leaf("ei:venID", message.venId),
    ),
  );

export const readCreatedEvent = (root: Element): CreatedEvent => {
  const created = child(root, "pyld:eiCreatedEvent");
  const response = optionalChild(created, "ei:eiResponse");
  const responses = optionalChild(created, "ei:eventResponses");
  return {
    kind: "createdEvent",
    // An acknowledgement matters more than its envelope: a missing one is read as a plain 200.
    response: response === null ? okResponse("") : readEiResponse(response),
    eventResponses: responses === null ? [] : childrenOf(responses, "ei:eventResponse").map(readEventResponse),
    venId: text(created, "ei:venID"),
  };
};

const eventResponseElement = (response: EventResponse): Element =>
  branch(
    "ei:eventResponse",
    ...outcomeElements(response),
    branch(
      "ei:qualifiedEventID",
      leaf("ei:eventID", response.eventId),
      leaf("ei:modificationNumber", response.modificationNumber),
    ),
    leaf("ei:optType", response.optType),
  );

const readEventResponse = (parent: Element): EventResponse => {
  const event = child(parent, "ei:qualifiedEventID");
  return {
    ...readEiResponse(parent),
    eventId: text(event, "ei:eventID"),
    modificationNumber: count(event, "ei:modificationNumber"),
    optType: oneOf(["optIn", "optOut"], text(parent, "ei:optType"), "ei:optType"),
  };
};
