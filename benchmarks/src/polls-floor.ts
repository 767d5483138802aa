import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Fixed {
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: string;
}

/** The minimum for a server of polls: answers every request with the same bytes. */
process.once("message", ({ headers, body }: Fixed) => {
  const head = headers.flat();
  const server = createServer((_request, response) => {
    response.writeHead(200, head);
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));
