// The receivers of the fan-out, as a child process: local HTTP servers that answer 200 at once and report when.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const SERVERS = Number(process.argv[2]);
const now = (): number => performance.timeOrigin + performance.now();

let expected = Number.POSITIVE_INFINITY;
let arrivals: number[] = [];

const servers = Array.from({ length: SERVERS }, () =>
  createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200).end();
      arrivals.push(now());
      if (arrivals.length === expected) process.send?.({ arrivals });
    });
  }).listen({ port: 0, host: "127.0.0.1", backlog: 4096 }),
);

process.on("message", (message: { readonly expected: number }) => {
  expected = message.expected;
  arrivals = [];
  process.send?.({ counting: true });
});
process.on("disconnect", () => process.exit(0));

await Promise.all(servers.map((server) => once(server, "listening")));
process.send?.({ urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`) });
