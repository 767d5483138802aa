import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

interface Setting {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  readonly authority: string;
  readonly body: string;
}

/** The minimum for a server of polls: mutual TLS, reads the message, answers a constant body. */
process.once("message", ({ key, certificate, authority, body }: Setting) => {
  const options = { key, cert: certificate, ca: authority, requestCert: true, rejectUnauthorized: true };
  const headers = { "content-type": "application/xml", "content-length": Buffer.byteLength(body) };
  const server = createServer(options, (request, response) => {
    request.resume().on("end", () => response.writeHead(200, headers).end(body));
  });
  server.keepAliveTimeout = 75_000;
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.once("disconnect", () => process.exit(0));
