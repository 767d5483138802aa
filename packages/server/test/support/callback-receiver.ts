import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "@curtail/testing/at-end";
import { ownPath } from "@curtail/testing/own-path";
import { expect } from "vitest";

export interface NotifiedCall {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // tests look into what a stranger would get
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A subscriber's address on a real socket: answers challenges, and keeps what it is notified of. */
export interface CallbackReceiver {
  readonly url: string;
  readonly challenges: string[];
  readonly calls: NotifiedCall[];
  /** Answers a challenge from now on. */
  echo: (value: string, response: ServerResponse) => void;
  /** Status of the answers to notifications from now on; a function may answer itself. */
  answer: number | ((call: NotifiedCall, response: ServerResponse) => void);
  /** Waits until this many notifications have arrived. */
  notified(count: number): Promise<readonly NotifiedCall[]>;
}

/** Closed after the test file. */
export const callbackReceiver = async (): Promise<CallbackReceiver> => {
  const own = ownPath();
  const self: CallbackReceiver = {
    url: "",
    challenges: [],
    calls: [],
    echo: (value, response) => void response.writeHead(200).end(value),
    answer: 200,
    async notified(count) {
      await expect.poll(() => self.calls.length).toBeGreaterThanOrEqual(count);
      return self.calls;
    },
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith(`${own}/`) !== true) return void response.writeHead(404).end();
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { pathname: path, searchParams } = new URL(request.url ?? "", "http://receiver");
    if (request.method === "GET") {
      self.challenges.push(request.url ?? "");
      self.echo(searchParams.get("echo") ?? "", response);
      return;
    }
    const call = { path, headers: request.headers, text, body: JSON.parse(text) as unknown };
    self.calls.push(call);
    if (typeof self.answer === "function") self.answer(call, response);
    else response.writeHead(self.answer).end();
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return Object.assign(self, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${own}/notifications` });
};
