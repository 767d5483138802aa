import { readCreatedEvent } from "./created-event.js";
import { readDistributeEvent } from "./distribute-event.js";
import type { Element } from "./element.js";
import { InvalidData, type Refusal } from "./invalid-data.js";
import type { Message } from "./message.js";
import { readXml } from "./read-xml.js";
import { readRequestEvent } from "./request-event.js";
import { RESPONSE_CODES, readResponse } from "./response.js";

export interface ParseOptions {
  /** The charset of the content type, if any; used if the document is not in the encoding it declares. */
  readonly charset?: string | null;
}

/**
 * Parses a message from an untrusted sender: elements are found by name and namespace, in any order; optional ones and
 * requestIDs may be missing or empty. Returns a `Refusal` for what it cannot read; throws nothing.
 *
 * @example
 * const message = parseMessage(body);
 * if (message.kind === "requestEvent") console.log(message.venId);
 */
export const parseMessage = (bytes: Uint8Array, options: ParseOptions = {}): Message | Refusal => {
  try {
    return readMessage(readXml(bytes, options.charset ?? null));
  } catch (error) {
    if (!(error instanceof InvalidData)) throw error;
    const { fault, message: description } = error;
    return { kind: "refusal", responseCode: RESPONSE_CODES.invalidData, fault, description };
  }
};

const readMessage = (root: Element): Message => {
  switch (root.name) {
    case "oadr:oadrRequestEvent":
      return readRequestEvent(root);
    case "oadr:oadrDistributeEvent":
      return readDistributeEvent(root);
    case "oadr:oadrCreatedEvent":
      return readCreatedEvent(root);
    case "oadr:oadrResponse":
      return readResponse(root);
    default:
      throw new InvalidData(
        "unknown_message",
        "the message is not an OpenADR 2.0a message; send oadrRequestEvent or oadrCreatedEvent in its namespace",
      );
  }
};
