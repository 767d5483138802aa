import { createRequire } from "node:module";
import { dirname } from "node:path";
import { referencePaths } from "@curtail/contract";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { icon, page, start, style, theme } from "./reference-page.js";

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
  /** Asked for when somebody reads it: what it says of addresses is known once they are listened on. */
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

// The viewer draws its icons from data addresses and writes styles as it goes; nothing else leaves this host.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
