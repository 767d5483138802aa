import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { strangers } from "@curtail/testing/watch-replies";
import { serveLocally } from "./local-server.js";

/** Forwards requests, but answers 413 itself, as a proxy does, to bodies that it finds too large. */
export const refusingProxy = async (
  target: string,
  isTooLarge: (body: string) => boolean,
): Promise<{ url: string; close: () => void }> => {
  const handOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (isTooLarge(body.toString())) return void response.writeHead(413).end("<h1>413 Request Entity Too Large</h1>");
    const key = String(request.headers["x-service-api-key"]);
    const answer = await fetch(target + String(request.url), {
      method: String(request.method),
      headers: { "content-type": "application/json", "x-service-api-key": key },
      ...(body.length === 0 ? {} : { body }),
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  };
  const server = createServer((request, response) => void handOn(request, response));
  strangers.add(server);
  return serveLocally(server);
};
