import { createRequire } from "node:module";
import { dirname } from "node:path";
import { referencePaths } from "@curtail/contract";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { icon, page, start, style, theme } from "./reference-page.js";

const viewerFolder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
// The viewer's licence has to be distributed with it.
const viewerFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE"];

/** Serves the viewer's own files from `/reference/`, so that a reference page needs no other host. */
export const viewerRoutes = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifyStatic, {
    root: viewerFolder,
    prefix: "/reference/",
    allowedPath: (path) => viewerFiles.includes(path.replace(/^\//, "")),
    index: false,
  });
  ownFile(app, "start.js", "text/javascript; charset=utf-8", start);
  ownFile(app, "theme.js", "text/javascript; charset=utf-8", theme);
  ownFile(app, "reference.css", "text/css; charset=utf-8", style);
  ownFile(app, "icon.svg", "image/svg+xml", icon);
};

const ownFile = (app: FastifyInstance, name: string, type: string, content: string): void => {
  app.get(`/reference/${name}`, async (_request, reply) => reply.type(type).send(content));
};

export interface Reference {
  readonly basePath: string;
  readonly title: string;
  /** A function, because its addresses are known only once the service is listening. */
  readonly document: () => unknown;
}

/** Serves an OpenAPI document and a page to read it; both without a key (G42). */
export const referenceRoutes = (app: FastifyInstance, { basePath, title, document }: Reference): void => {
  let json: string | undefined;
  app.get(basePath + referencePaths.document, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send((json ??= JSON.stringify(document()))),
  );
  app.get(basePath + referencePaths.viewer, async (_request, reply) =>
    reply
      .header("content-security-policy", policy)
      .type("text/html; charset=utf-8")
      .send(page(title, basePath + referencePaths.document)),
  );
};

// The viewer uses data URLs for icons and inline styles; it contacts no other host.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
