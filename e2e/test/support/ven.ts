import { Agent, request } from "node:https";
import { redeemLink } from "@curtail/client";
import { operator } from "@curtail/contract";
import { operate } from "./participant.js";
import type { ServiceProcess } from "./service-process.js";

interface VenReply {
  readonly status: number;
  readonly text: string;
  readonly seconds: number;
}

/** A VEN with its own certificate, polling a service over mutual TLS. */
export interface Ven {
  poll(): Promise<VenReply>;
  /** Answers these events, as listed by `eventsIn`, with a code: 200, or an error. */
  answer(events: readonly string[][], responseCode: string): Promise<VenReply>;
  /** The same VEN with another address, as after a restart on another port. */
  at(openadrUrl: string): Ven;
}

interface Claimed {
  readonly private_key: string;
  readonly certificate: string;
  readonly ca_certificate: string;
}

interface VenSettings {
  readonly ven_id?: string;
  readonly poll_interval_seconds?: number;
}

/** Creates a VEN of the account, and takes its key and certificate from the one-time link. */
export const newVen = async (
  url: string,
  openadrUrl: string,
  accountId: string,
  { ven_id: venId = "ven-1", ...rest }: VenSettings = {},
): Promise<Ven> => {
  const { id } = await operate(url, operator.createVen, {
    params: { id: accountId },
    body: { ven_id: venId, ...rest },
  });
  const certified = await operate(url, operator.certifyVen, { params: { id }, body: {} });
  if (!("claim_url" in certified)) throw new Error("a certificate was issued instead of a link");
  return venAt(openadrUrl, venId, await redeemLink<Claimed>(certified.claim_url));
};

/** Address for VENs. */
export const openadrUrlOf = ({ lines }: Pick<ServiceProcess, "lines">): string =>
  lines.map((line) => /OpenADR.*?(https:\/\/[^/\s]+)/.exec(line)?.[1]).find((found) => found !== undefined) ?? "";

const NAMESPACES =
  'xmlns="http://openadr.org/oadr-2.0a/2012/07" xmlns:ei="http://docs.oasis-open.org/ns/energyinterop/201110" ' +
  'xmlns:pyld="http://docs.oasis-open.org/ns/energyinterop/201110/payloads"';

const requestXml = (venId: string): string =>
  `<oadrRequestEvent ${NAMESPACES}><pyld:eiRequestEvent><pyld:requestID>1</pyld:requestID><ei:venID>${venId}</ei:venID>` +
  "</pyld:eiRequestEvent></oadrRequestEvent>";

const createdXml = (venId: string, events: readonly string[][], code: string): string =>
  `<oadrCreatedEvent ${NAMESPACES}><pyld:eiCreatedEvent><ei:eiResponse><ei:responseCode>${code}</ei:responseCode>` +
  "<pyld:requestID>1</pyld:requestID></ei:eiResponse><ei:eventResponses>" +
  events.map(([id = "", modification = ""]) => eventResponseXml(id, modification, code)).join("") +
  `</ei:eventResponses><ei:venID>${venId}</ei:venID></pyld:eiCreatedEvent></oadrCreatedEvent>`;

const eventResponseXml = (id: string, modification: string, code: string): string =>
  `<ei:eventResponse><ei:responseCode>${code}</ei:responseCode><pyld:requestID>1</pyld:requestID>` +
  `<ei:qualifiedEventID><ei:eventID>${id}</ei:eventID><ei:modificationNumber>${modification}</ei:modificationNumber>` +
  "</ei:qualifiedEventID><ei:optType>optIn</ei:optType></ei:eventResponse>";

/** VENs keep their connection between polls. */
const agent = new Agent({ keepAlive: true });

const venAt = (openadrUrl: string, venId: string, claimed: Claimed): Ven => {
  const post = (body: string): Promise<VenReply> =>
    posted(`${openadrUrl}/vtn/${venId}/OpenADR2/Simple/EiEvent`, claimed, body);
  return {
    poll: () => post(requestXml(venId)),
    answer: (events, responseCode) => post(createdXml(venId, events, responseCode)),
    at: (url) => venAt(url, venId, claimed),
  };
};

const posted = (url: string, claimed: Claimed, body: string): Promise<VenReply> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const { private_key: key, certificate: cert, ca_certificate: ca } = claimed;
    const sent = request(url, { method: "POST", key, cert, ca, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, seconds: (performance.now() - startedMs) / 1000 }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });

/** Event id, modification number and priority of every event in a message. */
export const eventsIn = (xml: string): string[][] =>
  [...xml.matchAll(/<ei:eventID>(.*?)<.*?<ei:modificationNumber>(.*?)<.*?<ei:priority>(.*?)</gs)].map((match) =>
    match.slice(1),
  );
