import { createRequire } from "node:module";
import { dirname } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

const viewerFolder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
// The viewer's licence asks to be carried along with it.
const viewerFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE"];

/** Serves the viewer's own files from `/reference/`, so that a reference page needs no other host. */
export const viewerRoutes = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifyStatic, {
    root: viewerFolder,
    prefix: "/reference/",
    allowedPath: (path) => viewerFiles.includes(path.replace(/^\//, "")),
    index: false,
  });
  app.get("/reference/start.js", async (_request, reply) => reply.type("text/javascript; charset=utf-8").send(start));
};

/** Serves an OpenAPI document and a page to read it; both without a key (G42). */
export const referenceRoutes = (app: FastifyInstance, basePath: string, title: string, document: unknown): void => {
  const json = JSON.stringify(document);
  app.get(`${basePath}/openapi.json`, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(json),
  );
  app.get(`${basePath}/docs`, async (_request, reply) =>
    reply
      .header("content-security-policy", policy)
      .type("text/html; charset=utf-8")
      .send(page(title, `${basePath}/openapi.json`)),
  );
};

// The viewer draws its icons from data addresses and writes styles as it goes; nothing else leaves this host.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const start = `const page = document.getElementById("reference");
SwaggerUIBundle({
  url: page.dataset.document,
  domNode: page,
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
});
`;

const page = (title: string, documentPath: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="/reference/swagger-ui.css"></head>
<body><div id="reference" data-document="${documentPath}"></div>
<script src="/reference/swagger-ui-bundle.js"></script><script src="/reference/start.js"></script></body></html>
`;
