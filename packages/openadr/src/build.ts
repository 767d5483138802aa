import { createdEventElement } from "./created-event.js";
import { distributeEventElement } from "./distribute-event.js";
import type { Element } from "./element.js";
import type { Message } from "./message.js";
import { requestEventElement } from "./request-event.js";
import { responseElement } from "./response.js";
import { serialise } from "./serialise.js";

/**
 * The message as an XML document, in the order of the schema. Characters that XML does not allow become U+FFFD. Throws
 * for values that the schema cannot express, such as a negative duration.
 *
 * @example buildMessage({ kind: "response", response: okResponse("42") })
 */
export const buildMessage = (message: Message): string => serialise(elementOf(message));

const elementOf = (message: Message): Element => {
  switch (message.kind) {
    case "requestEvent":
      return requestEventElement(message);
    case "distributeEvent":
      return distributeEventElement(message);
    case "createdEvent":
      return createdEventElement(message);
    case "response":
      return responseElement(message);
  }
};
