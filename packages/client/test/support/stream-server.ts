import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "@curtail/testing/at-end";
import { expect } from "vitest";
import { createParticipant, type Dispatch, type Participant } from "../../src/index.js";

/** Below a path, as behind a proxy: what tests make it answer need not be what the contract has. */
const BASE = "/curtail/2022-04-15";

/** A service on a real socket whose list and stream a test writes itself. */
export class StreamServer {
  dispatches: readonly Dispatch[] = [];
  /** Requests by path, in their order. */
  readonly requests: IncomingMessage[] = [];
  /** Open streams. */
  readonly streams = new Set<ServerResponse>();
  /** What answers a request for the stream. */
  answer: (response: ServerResponse) => void = (response) => this.open(response);

  private constructor(readonly participant: Participant) {}

  static async started(): Promise<StreamServer> {
    const server = createServer((request, response) => self.handle(request, response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    atEnd(async () => {
      server.close();
      server.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/curtail`;
    const self = new StreamServer(createParticipant({ url, key: "ctp_1" }));
    return self;
  }

  open(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write("retry: 1\n\n");
    this.streams.add(response);
    response.on("close", () => this.streams.delete(response));
  }

  /** Writes an event to all streams. */
  tell(type: string, data: unknown, id = "1.a"): void {
    for (const stream of this.streams) stream.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Waits until this many streams are open. */
  async opened(count = 1): Promise<void> {
    await expect.poll(() => this.streams.size).toBe(count);
  }

  /** Requests of one path. */
  requested(path: string): readonly IncomingMessage[] {
    return this.requests.filter(({ url }) => url === BASE + path);
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request);
    if (request.url === `${BASE}/dispatches/stream`) return this.answer(response);
    response.end(JSON.stringify({ dispatches: this.dispatches, page: 0, perPage: 0 }));
  }
}
