import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerNotBuilt } from "./not-built.js";

/** Folder of the built documentation; null if it was not built. */
export const documentationFolder = (): string | null => {
  const folder = join(dirname(createRequire(import.meta.url).resolve("@curtail/docs/package.json")), "dist", "site");
  return existsSync(join(folder, "index.html")) ? folder : null;
};

const DOCUMENTATION = "/docs";
const FIRST_PAGE = `${DOCUMENTATION}/index.html`;
/** Language models look for it at the root of a host, too. */
const INDEX_FOR_MODELS = "/llms.txt";
const A_YEAR_SECONDS = 31_536_000;

// Pages have neither scripts nor styles of their own, and contact no other host.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** Serves the documentation to everybody: it says nothing about this installation. */
export const documentationRoutes = async (app: FastifyInstance, folder: string | null): Promise<void> => {
  if (folder === null) return answerNotBuilt(app, DOCUMENTATION, "The documentation is not built.");
  for (const address of [DOCUMENTATION, `${DOCUMENTATION}/`])
    app.get(address, async (_request, reply) => reply.redirect(FIRST_PAGE));
  const index = join(folder, INDEX_FOR_MODELS);
  if (existsSync(index)) {
    const text = readFileSync(index, "utf8");
    app.get(INDEX_FOR_MODELS, async (_request, reply) => reply.header("cache-control", "no-cache").send(text));
  }
  await app.register(fastifyStatic, {
    root: folder,
    prefix: `${DOCUMENTATION}/`,
    decorateReply: false,
    preCompressed: true,
    index: false,
    dotfiles: "ignore",
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header("content-security-policy", policy);
      reply.header(
        "cache-control",
        isNamedByContent(path) ? `public, max-age=${A_YEAR_SECONDS}, immutable` : "no-cache",
      );
    },
  });
};

/** Answers a request for a page of the documentation that does not exist; null for any other request. */
export type MissingPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;

/** @param folder folder of the built documentation; without its page for this, addresses below it are like any other */
export const missingPageOf = (folder: string | null): MissingPage => {
  const file = folder === null ? null : join(folder, "404.html");
  const page = file !== null && existsSync(file) ? readFileSync(file) : null;
  return ({ method, url }, reply) => {
    if (folder === null || page === null) return null;
    if (!url.startsWith(`${DOCUMENTATION}/`) || !["GET", "HEAD"].includes(method)) return null;
    const meant = pageWithoutEnding(folder, url);
    return meant === null ? sendMissingPage(reply, page) : sendTo(reply, meant);
  };
};

const PAGE_NAME = /^\/docs\/([\w-]+(?:\/[\w-]+)*)(?:\/|\.md)?(?:\?.*)?$/;

/** The page of `/docs/start`, `/docs/start.md` or `/docs/decisions/`; null if there is none. */
const pageWithoutEnding = (folder: string, url: string): string | null => {
  const name = PAGE_NAME.exec(url)?.[1];
  const file = [`${name}.html`, `${name}/index.html`].find((each) => existsSync(join(folder, each)));
  return name === undefined || file === undefined ? null : `${DOCUMENTATION}/${file}`;
};

const sendTo = async (reply: FastifyReply, address: string): Promise<FastifyReply> =>
  reply.header("cache-control", "no-cache").redirect(address);

const sendMissingPage = async (reply: FastifyReply, page: Buffer): Promise<FastifyReply> =>
  reply
    .status(404)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-cache")
    .send(page);

const isNamedByContent = (path: string): boolean => dirname(path).endsWith(join("site", "assets"));
