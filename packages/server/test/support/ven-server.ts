import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { DistributeEvent } from "@curtail/openadr";
import { atEnd } from "@curtail/testing/at-end";
import { expect } from "vitest";
import { type Credentials, readSent } from "./ven-client.js";

/** A VEN that events are pushed to: it requires our certificate, stores what it receives, and answers as configured. */
export interface VenServer {
  readonly url: string;
  readonly received: DistributeEvent[];
  /** Common names of the clients that pushed. */
  readonly peers: string[];
  /** null: it does not answer. */
  status: number | null;
  /** Answers the requests it has held back. */
  answerHeld(status: number): void;
  pushes(count: number): Promise<readonly DistributeEvent[]>;
}

export const venServer = async (credentials: Credentials, ca: string): Promise<VenServer> => {
  const received: DistributeEvent[] = [];
  const peers: string[] = [];
  const held: ServerResponse[] = [];
  const server = createServer({ key: credentials.key, cert: credentials.certificate, ca, requestCert: true });
  server.on("request", (request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const message = readSent(text);
      if (message.kind === "distributeEvent") received.push(message);
      peers.push(String((request.socket as TLSSocket).getPeerCertificate().subject["CN"]));
      if (self.status === null) held.push(response);
      else response.writeHead(self.status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const self: VenServer = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/ven`,
    received,
    peers,
    status: 200,
    answerHeld(status) {
      for (const response of held.splice(0)) response.writeHead(status).end();
    },
    async pushes(count) {
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(count);
      return received;
    },
  };
  return self;
};
