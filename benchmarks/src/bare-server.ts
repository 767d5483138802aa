import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Fixed {
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: string;
}

/** The minimum for a server: answers every request with the same bytes, once its body is there. */
process.once("message", ({ headers, body }: Fixed) => {
  const head = headers.flat();
  const server = createServer((request, response) => {
    const answer = (): void => void response.writeHead(200, head).end(body);
    if (request.method === "GET") answer();
    else request.resume().on("end", answer);
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));
