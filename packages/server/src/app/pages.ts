import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { wantsHtml } from "../platform/http/one-time-page.js";

/** Addresses that the web application handles itself; the service only returns the application. */
export const pageAddresses = {
  everybody: ["/sign-in", "/you"],
  participants: ["/dashboard"],
  operators: ["/operations"],
} as const;

/** Everything comes from this host; styles are set on elements when a dialog or chart is positioned. */
const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "cache-control": "no-cache",
  "referrer-policy": "same-origin",
};

/** Serves the built pages of a folder at these addresses; `/` is a page for browsers only (G19). */
export const pageRoutes = async (app: FastifyInstance, folder: string, addresses: readonly string[]): Promise<void> => {
  const index = readFileSync(join(folder, "index.html"));
  const send = (reply: FastifyReply) => reply.headers(pageHeaders).type("text/html; charset=utf-8").send(index);
  for (const address of addresses.flatMap((at) => [at, `${at}/`, `${at}/*`]))
    app.get(address, async (_request, reply) => send(reply));
  app.addHook("onRequest", async (request, reply) => {
    if (request.url === "/" && request.method === "GET" && wantsHtml(request)) return send(reply);
  });
  await app.register(fastifyStatic, {
    root: join(folder, "assets"),
    prefix: "/assets/",
    decorateReply: false,
    preCompressed: true,
    // Their names change with their content.
    immutable: true,
    maxAge: "365d",
    index: false,
  });
  for (const file of ["icon.svg", "theme.js"]) oneFile(app, folder, file);
};

const oneFile = (app: FastifyInstance, folder: string, file: string): void => {
  const content = readFileSync(join(folder, file));
  const type = file.endsWith(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8";
  app.get(`/${file}`, async (_request, reply) => reply.header("cache-control", "no-cache").type(type).send(content));
};
