import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { atEnd } from "./at-end.js";
import { ownPath } from "./own-path.js";

export interface Received {
  readonly event: string;
  readonly resource: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** A participant's receiver on a real socket: keeps what it is sent, and answers as configured. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Status of the answers from now on; a function may answer itself. */
  answer: number | ((response: ServerResponse) => void);
  /** Waits until this many notices, not counting test requests, have arrived. */
  notices(count: number): Promise<Received[]>;
}

/** Closed after the test file. */
export const receiver = async (): Promise<Receiver> => {
  const { self, server } = await started();
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return self;
};

/** For modules that several test files of a worker share: ends with the worker, without keeping it alive. */
export const lastingReceiver = async (): Promise<Receiver> => {
  const { self, server } = await started();
  server.unref().on("connection", (socket) => socket.unref());
  return self;
};

const started = async (): Promise<{ self: Receiver; server: Server }> => {
  const received: Received[] = [];
  const own = ownPath();
  const self: Receiver = {
    url: "",
    received,
    answer: 200,
    async notices(count) {
      await expect.poll(() => noticesIn(received).length).toBeGreaterThanOrEqual(count);
      return noticesIn(received);
    },
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith(`${own}/`) !== true) return void response.writeHead(404).end();
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { event, resource } = JSON.parse(text) as { event: { name: string }; resource: string };
    received.push({ event: event.name, resource, headers: request.headers, text });
    if (typeof self.answer === "function") self.answer(response);
    else response.writeHead(self.answer).end();
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  Object.assign(self, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${own}/hook` });
  return { self, server };
};

/** Excludes the test requests of registrations. */
const noticesIn = (received: readonly Received[]): Received[] => received.filter(({ event }) => event !== "");
