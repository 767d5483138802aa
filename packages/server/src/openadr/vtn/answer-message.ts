import {
  buildMessage,
  type CreatedEvent,
  type EiResponse,
  type Message,
  okResponse,
  RESPONSE_CODES,
  type Refusal,
  type RequestEvent,
} from "@curtail/openadr";
import type { Stamps } from "../../platform/stamps.js";
import type { Ven } from "../domain/ven.js";
import { distributed, showEvents } from "./show-events.js";
import { takeAnswers } from "./take-answers.js";
import type { VtnPorts, VtnResult } from "./vtn-ports.js";

export interface VenRequest {
  /** The VEN of its certificate. */
  readonly ven: Ven;
  /** Read after the request came. */
  readonly stamps: Stamps;
  /** The venID in the address. */
  readonly pathVenId: string;
  readonly body: Buffer;
  readonly charset: string | null;
  readonly isAwaited: () => boolean;
}

export interface VtnReply {
  readonly status: 200 | 400 | 403 | 404 | 405 | 503;
  /** null: no body. */
  readonly xml: string | null;
  readonly result: VtnResult;
}

/** Answers a poll or an acknowledgement; throws on our own faults, which must never read as "no events". */
export const answerMessage = async (ports: VtnPorts, request: VenRequest): Promise<VtnReply> => {
  const message = ports.requests.parse(request.ven.id, request.body, request.charset);
  switch (message.kind) {
    case "requestEvent":
      return answerRequest(ports, request, message);
    case "createdEvent":
      return answerCreated(ports, request, message);
    default:
      return refuseMessage(ports, request.ven, message);
  }
};

const answerRequest = async (ports: VtnPorts, request: VenRequest, message: RequestEvent): Promise<VtnReply> => {
  const { ven, stamps, isAwaited } = request;
  const { requestId, replyLimit } = message;
  if (isOther(request, message)) {
    const xml = distributed(ports, otherVen(requestId), []);
    return refusedOther(ports, request, xml);
  }
  const events = await showEvents(ports, ven, { how: "poll", stamps, replyLimit, isAwaited });
  ports.notePoll(ven.id, ports.clock.now());
  const xml = distributed(ports, okResponse(requestId), events);
  return { status: 200, xml, result: events.length === 0 ? "no_events" : "events" };
};

const answerCreated = async (ports: VtnPorts, request: VenRequest, message: CreatedEvent): Promise<VtnReply> => {
  const { requestId } = message.response;
  if (isOther(request, message)) return refusedOther(ports, request, responded(otherVen(requestId)));
  const response = await takeAnswers(ports, request, message);
  return { status: 200, xml: responded(response), result: "acknowledged" };
};

const refuseMessage = ({ log }: VtnPorts, ven: Ven, message: Message | Refusal): VtnReply => {
  const refusal = message.kind === "refusal" ? message : notForVtn(message.kind);
  log.warn({ ven: ven.id, fault: refusal.fault }, "a message from a VEN was not understood");
  return malformed(refusal.description);
};

const notForVtn = (kind: Message["kind"]): Pick<Refusal, "fault" | "description"> => ({
  fault: "unknown_message",
  description: `the message is an ${kind === "response" ? "oadrResponse" : "oadrDistributeEvent"}; send oadrRequestEvent or oadrCreatedEvent`,
});

export const malformed = (description: string): VtnReply => ({
  status: 400,
  xml: responded({ responseCode: RESPONSE_CODES.invalidData, responseDescription: description, requestId: "" }),
  result: "malformed",
});

const responded = (response: EiResponse): string => buildMessage({ kind: "response", response });

/** The venID of another VEN and one that does not exist are refused alike. */
const isOther = ({ ven, pathVenId }: VenRequest, message: { readonly venId: string }): boolean =>
  pathVenId !== ven.venId || message.venId !== ven.venId;

const otherVen = (requestId: string): EiResponse => ({
  responseCode: RESPONSE_CODES.notAuthorized,
  responseDescription: "the venID does not match the certificate; use the venID that the certificate was issued for",
  requestId,
});

const refusedOther = ({ log }: VtnPorts, { ven }: VenRequest, xml: string): VtnReply => {
  log.warn({ ven: ven.id }, "a VEN used a venID that is not its certificate's");
  return { status: 200, xml, result: "other_ven" };
};
