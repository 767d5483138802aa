import { Agent, request } from "node:https";
import { operate } from "./participant.js";

/** A VEN with a certificate of its own, polling a service over mutual TLS. */
export interface Ven {
  poll(): Promise<{ readonly status: number; readonly text: string; readonly seconds: number }>;
  /** The same VEN at another address, as after a restart on another port. */
  at(openadrUrl: string): Ven;
}

interface Claimed {
  readonly private_key: string;
  readonly certificate: string;
  readonly ca_certificate: string;
}

/** Sets a VEN of the account up, and takes its key and certificate from the one-time link. */
export const newVen = async (url: string, openadrUrl: string, accountId: string): Promise<Ven> => {
  const { id } = await operate<{ id: string }>(url, "POST", `/accounts/${accountId}/vens`, { ven_id: VEN_ID });
  const { claim_url } = await operate<{ claim_url: string }>(url, "POST", `/vens/${id}/certificates`, {});
  const headers = { accept: "application/json" };
  const claimed = (await (await fetch(claim_url, { method: "POST", headers })).json()) as Claimed;
  return venAt(openadrUrl, claimed);
};

const VEN_ID = "ven-1";
const BODY =
  '<oadrRequestEvent xmlns="http://openadr.org/oadr-2.0a/2012/07" ' +
  'xmlns:ei="http://docs.oasis-open.org/ns/energyinterop/201110" ' +
  'xmlns:pyld="http://docs.oasis-open.org/ns/energyinterop/201110/payloads"><pyld:eiRequestEvent>' +
  `<pyld:requestID>1</pyld:requestID><ei:venID>${VEN_ID}</ei:venID></pyld:eiRequestEvent></oadrRequestEvent>`;

/** VENs keep their connection between polls. */
const agent = new Agent({ keepAlive: true });

const venAt = (openadrUrl: string, claimed: Claimed): Ven => ({
  poll: () =>
    new Promise((resolve, reject) => {
      const startedMs = performance.now();
      const url = `${openadrUrl}/vtn/${VEN_ID}/OpenADR2/Simple/EiEvent`;
      const { private_key: key, certificate: cert, ca_certificate: ca } = claimed;
      const sent = request(url, { method: "POST", key, cert, ca, agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text, seconds: (performance.now() - startedMs) / 1000 }),
        );
      });
      sent.on("error", reject);
      sent.end(BODY);
    }),
  at: (url) => venAt(url, claimed),
});

/** Event id, modification number and priority of every event in a message. */
export const eventsIn = (xml: string): string[][] =>
  [...xml.matchAll(/<ei:eventID>(.*?)<.*?<ei:modificationNumber>(.*?)<.*?<ei:priority>(.*?)</gs)].map((match) =>
    match.slice(1),
  );
