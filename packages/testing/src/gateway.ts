import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./at-end.js";

export interface GatewayRequest {
  readonly id: string;
  readonly channel: string;
  readonly to: string;
  readonly text: string;
  readonly language: string;
  readonly kind: string;
  readonly account_id: string;
  readonly dispatch_id: string | null;
  readonly test: boolean;
}

export interface GatewayReceived {
  readonly headers: IncomingMessage["headers"];
  readonly message: GatewayRequest;
}

/** A gateway for SMS and calls on a real socket: keeps what it is sent, and answers as configured. */
export interface Gateway {
  readonly url: string;
  /** Every request, also repeated ones. */
  readonly received: GatewayReceived[];
  /** Status of the answers from now on; a function may answer itself. */
  answer: number | ((response: ServerResponse) => void);
  /** Requests about a dispatch. */
  about(dispatchId: string): readonly GatewayReceived[];
}

/** Closed after the test file. */
export const gateway = async (): Promise<Gateway> => {
  const received: GatewayReceived[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    received.push({ headers: request.headers, message: JSON.parse(text) as GatewayRequest });
    const { answer } = self;
    if (typeof answer === "function") return answer(response);
    response.writeHead(answer, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: `gw-${received.length}` }));
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const self: Gateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`,
    received,
    answer: 202,
    about: (dispatchId) => received.filter(({ message }) => message.dispatch_id === dispatchId),
  };
  return self;
};
