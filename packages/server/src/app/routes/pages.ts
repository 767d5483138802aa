import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Brand, BrandLogo } from "../../platform/brand.js";
import { wantsHtml } from "../../platform/http/one-time-page.js";
import { pageLanguage } from "../../platform/http/page-language.js";
import { tileAddress } from "../../platform/runtime/setting-types.js";
import { LANGUAGES, type Language } from "../../platform/words.js";
import type { TileSource } from "../../portfolio/operations/site-map.js";
import { brandedManifest, brandedOfflinePage, brandedPage, brandedServiceWorker } from "./branded-files.js";

/** Addresses that the web application handles itself; the service only returns the application. */
export const pageAddresses = {
  everybody: ["/sign-in", "/you"],
  participants: ["/dashboard"],
  operators: ["/operations"],
} as const;

/** HTML files that load the start page of an address, or a page below it, without a detour; `index.html` loads any. */
const htmlFiles: Readonly<Record<string, { readonly start: string; readonly below: string }>> = {
  "/sign-in": { start: "sign-in.html", below: "sign-in.html" },
  "/operations": { start: "board.html", below: "operations.html" },
  "/dashboard": { start: "now.html", below: "dashboard.html" },
};
const ANY_PAGE = "index.html";
/** Has no navigation, so that its first HTML has none either. */
const WALL = { below: "/operations", address: "/operations/wall" };

/** Folder of the built pages; null if they were not built, and the service then has none. */
export const pageFolder = (): string | null => {
  const folder = join(dirname(createRequire(import.meta.url).resolve("@curtail/web/package.json")), "dist", "site");
  return existsSync(join(folder, "index.html")) ? folder : null;
};

/** What fits into a cookie. */
const MAX_LANDING_CHARACTERS = 1500;
const ANY_HOST = "http://host.invalid";
const landingPages = [...pageAddresses.participants, ...pageAddresses.operators, "/you"];

/** The page to open after sign-in, from a link's parameter; null unless it is a page of this service. */
export const landingPage = (asked: unknown): string | null => {
  if (typeof asked !== "string" || asked.length > MAX_LANDING_CHARACTERS || !asked.startsWith("/")) return null;
  if (!URL.canParse(asked, ANY_HOST)) return null;
  const { origin, pathname, search, hash } = new URL(asked, ANY_HOST);
  const isPage = landingPages.some((page) => pathname === page || pathname.startsWith(`${page}/`));
  return origin === ANY_HOST && isPage ? pathname + search + hash : null;
};

/**
 * Everything comes from this host, but for tiles of the map if they are set; styles are set on elements when a dialog or
 * chart is positioned.
 */
const headersWith = (tiles: TileSource | null) => {
  // The map fetches them and makes images of what it gets.
  const others = tiles === null ? "" : ` ${tileAddress(tiles.url)?.origin}`;
  return {
    "content-security-policy":
      `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:${others}; font-src 'self'; ` +
      `connect-src 'self'${others}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    "cache-control": "no-cache",
    "referrer-policy": "same-origin",
  };
};

const pageHeaders = headersWith(null);

interface Pages {
  /** Of the built pages. */
  readonly folder: string;
  readonly addresses: readonly string[];
  readonly brand: Brand;
  readonly tiles: TileSource | null;
}

/** Serves the built pages of a folder at these addresses; `/` is a page for browsers only (G19). */
export const pageRoutes = async (app: FastifyInstance, { folder, addresses, brand, tiles }: Pages): Promise<void> => {
  const sendHtml = htmlSender(headersWith(tiles));
  const read = (file: string): HtmlByLanguage => htmlByLanguage(join(folder, file), brand);
  const index = read(ANY_PAGE);
  for (const address of addresses) {
    const { start, below } = htmlFiles[address] ?? { start: ANY_PAGE, below: ANY_PAGE };
    const [startHtml, belowHtml] = [read(start), read(below)];
    for (const at of [address, `${address}/`])
      app.get(at, async (request, reply) => sendHtml(request, reply, startHtml));
    app.get(`${address}/*`, async (request, reply) => sendHtml(request, reply, belowHtml));
  }
  if (addresses.includes(WALL.below)) app.get(WALL.address, async (request, reply) => sendHtml(request, reply, index));
  app.addHook("onRequest", async (request, reply) => {
    if (request.url === "/" && request.method === "GET" && wantsHtml(request)) return sendHtml(request, reply, index);
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
  for (const [file, type] of Object.entries(files)) {
    const content = readFileSync(join(folder, file));
    oneFile(app, `/${file}`, { type, content: branded[file]?.(content.toString(), brand) ?? content });
  }
  if (brand.logo !== null) logoFile(app, brand.logo);
};

interface Html {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

type HtmlByLanguage = Readonly<Record<Language, Html>>;

/** `board.html` is English, `board.es.html` Spanish. */
const htmlByLanguage = (path: string, brand: Brand): HtmlByLanguage => {
  const inLanguage = (language: Language) => {
    const file = language === "en" ? path : path.replace(/html$/, `${language}.html`);
    return htmlOf(Buffer.from(brandedPage(readFileSync(file, "utf8"), brand)));
  };
  return Object.fromEntries(LANGUAGES.map((language) => [language, inLanguage(language)])) as HtmlByLanguage;
};

const htmlOf = (plain: Buffer): Html => ({ plain, gzipped: gzipSync(plain) });

const htmlSender =
  (headers: typeof pageHeaders) =>
  (request: FastifyRequest, reply: FastifyReply, html: HtmlByLanguage): FastifyReply => {
    const { plain, gzipped } = html[pageLanguage(request)];
    const isGzipped = /\bgzip\b(?!;q=0)/.test(request.headers["accept-encoding"] ?? "");
    reply.headers({ ...headers, vary: "accept-encoding, accept-language, cookie" }).type("text/html; charset=utf-8");
    if (isGzipped) reply.header("content-encoding", "gzip");
    return reply.send(isGzipped ? gzipped : plain);
  };

/** Beside the application, under names that stay. */
const files = {
  "icon.svg": "image/svg+xml",
  "icon-192.png": "image/png",
  "icon-512.png": "image/png",
  "icon-maskable-512.png": "image/png",
  "badge-96.png": "image/png",
  "manifest.webmanifest": "application/manifest+json",
  "offline.html": "text/html; charset=utf-8",
  "offline.js": "text/javascript; charset=utf-8",
  "service-worker.js": "text/javascript; charset=utf-8",
  "theme.js": "text/javascript; charset=utf-8",
} as const;

/** Those that name the service or have its colours. */
const branded: Readonly<Record<string, (text: string, brand: Brand) => string>> = {
  "manifest.webmanifest": brandedManifest,
  "offline.html": brandedOfflinePage,
  "service-worker.js": brandedServiceWorker,
};

interface PageFile {
  readonly type: string;
  readonly content: Buffer | string;
}

const oneFile = (app: FastifyInstance, address: string, { type, content }: PageFile): void => {
  // `no-cache`: a browser asks for the service worker at every start, so that a new version takes over.
  app.get(address, async (_request, reply) => reply.headers(pageHeaders).type(type).send(content));
};

/** An operator's file: if somebody opens its address, it may not run a script in the service's name. */
const logoHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "public, max-age=31536000, immutable",
};

const logoFile = (app: FastifyInstance, { path, type, content }: BrandLogo): void =>
  void app.get(path, async (_request, reply) => reply.headers(logoHeaders).type(type).send(content));
