import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { now } from "../commit.js";

/** A relay that several participants use, with a path for each webhook. */
export interface Relay {
  readonly url: string;
  /** When each dispatch arrived at the neighbour's webhook (`/good`), in milliseconds since 1970. */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): void;
}

/** In the name server, so that it has to be resolved like any other name. */
export const RELAY_HOST = "relay.test";

/** `/good` answers at once, `/later-hangs` only registrations, `/hangs` nothing. */
export const startRelay = async (): Promise<Relay> => {
  const arrivals = new Map<string, number>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const atMs = now();
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { event, resource } = JSON.parse(text) as { event: { name: string }; resource: string };
    const path = request.url ?? "";
    if (path.startsWith("/good")) {
      const id = resource.split("/").at(-1) ?? "";
      if (!arrivals.has(id)) arrivals.set(id, atMs);
    }
    if (path.startsWith("/good") || (path.startsWith("/later-hangs") && event.name === "")) response.end();
  };
  // Requests are cut whenever the service gives up.
  const server = createServer((request, response) => void take(request, response).catch(() => {}));
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 });
  await once(server, "listening");
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://${RELAY_HOST}:${(server.address() as AddressInfo).port}`, arrivals, close };
};
