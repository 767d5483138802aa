import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { serveLocally } from "./local-server.js";

/** Forwards requests, and cuts the connection after the service has answered and `answered` has resolved. */
export const lostAnswers = async (
  target: string,
  answered: () => Promise<unknown>,
): Promise<{ url: string; close: () => void }> => {
  const handOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = "", "idempotency-key": key = "" } = request.headers;
    await fetch(target + String(request.url), {
      method: String(request.method),
      headers: { authorization, "idempotency-key": String(key), "content-type": "application/json" },
      body: Buffer.concat(chunks),
    });
    await answered();
    response.destroy();
  };
  const server = createServer((request, response) => void handOn(request, response));
  return serveLocally(server);
};
