import { createServer, type Server } from "node:http";
import { strangers } from "@curtail/testing/watch-replies";
import { serveLocally } from "./local-server.js";

/** Answers uploads with 200 before they reach the service: the fault that the kill test must be able to detect. */
export const earlyAnswers = async (target: string): Promise<{ url: string; close: () => void }> => {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"received":0}');
      const headers = {
        "content-type": "application/json",
        "x-service-api-key": String(request.headers["x-service-api-key"]),
      };
      const forwarded = fetch(target + String(request.url), { method: "POST", headers, body: Buffer.concat(chunks) });
      // The sender already has its answer; that nobody learns of a failure here is the fault.
      forwarded.then((answer) => answer.arrayBuffer()).catch(() => {});
    });
  });
  strangers.add(server);
  return serveLocally(server);
};
