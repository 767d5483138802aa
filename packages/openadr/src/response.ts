import { branch, child, type Element, leaf, optionalLeaf, optionalText, text } from "./element.js";
import { invalidData } from "./invalid-data.js";

/** The response codes that a VTN of OpenADR 2.0a needs. */
export const RESPONSE_CODES = {
  ok: "200",
  /** The modification number is not the event's current one. */
  outOfSequence: "450",
  /** The event is unknown to this VEN. */
  unknownEvent: "452",
  /** The message was not understood. */
  invalidData: "454",
  /** The venID is not that of the caller's certificate. */
  notAuthorized: "463",
} as const;

/** The result of a request: `ei:eiResponse`. */
export interface EiResponse {
  /** Three digits. */
  readonly responseCode: string;
  readonly responseDescription: string | null;
  /** The requestID of the message being answered; may be empty. */
  readonly requestId: string;
}

/** The answer to an oadrCreatedEvent or to an unreadable message: `oadr:oadrResponse`. */
export interface Response {
  readonly kind: "response";
  readonly response: EiResponse;
}

/** The answer for success. */
export const okResponse = (requestId: string): EiResponse => ({
  responseCode: RESPONSE_CODES.ok,
  responseDescription: "OK",
  requestId,
});

export const responseElement = (message: Response): Element =>
  branch("oadr:oadrResponse", eiResponseElement(message.response));

export const readResponse = (root: Element): Response => ({
  kind: "response",
  response: readEiResponse(child(root, "ei:eiResponse")),
});

export const eiResponseElement = (response: EiResponse): Element =>
  branch("ei:eiResponse", ...outcomeElements(response));

/** The first three elements of an eiResponse and of an eventResponse. */
export const outcomeElements = (response: EiResponse): ReadonlyArray<Element | null> => [
  leaf("ei:responseCode", checkedCode(response.responseCode)),
  optionalLeaf("ei:responseDescription", response.responseDescription),
  leaf("pyld:requestID", response.requestId),
];

export const readEiResponse = (parent: Element): EiResponse => ({
  responseCode: checkedCode(text(parent, "ei:responseCode")),
  responseDescription: optionalText(parent, "ei:responseDescription"),
  requestId: optionalText(parent, "pyld:requestID") ?? "",
});

const checkedCode = (code: string): string => {
  if (!/^\d{3}$/.test(code)) throw invalidData("ei:responseCode is not three digits; write it as 200");
  return code;
};
