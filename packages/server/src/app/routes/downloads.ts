import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ServiceAddresses } from "../../access/http/console-account.js";
import { errorReply } from "../../platform/http/error-replies.js";
import { page } from "../../platform/http/one-time-page.js";
import { pageWords } from "../../platform/http/page-language.js";
import { saidHtml } from "../../platform/said-html.js";
import { english, perWords, type Words } from "../../platform/words.js";
import type { MissingPage } from "./documentation.js";
import { answerNotBuilt } from "./not-built.js";
import { NOTICES } from "./notices.js";

const DOWNLOADS = "/downloads";
const SUMS = "SHA256SUMS";
/** `curtail-client-0.1.0.tgz`: name, then version. */
const PACKAGE = /^(?<name>[a-z-]+)-\d[^/]*\.tgz$/;

const types: Readonly<Record<string, string>> = {
  ".tgz": "application/gzip",
  ".mjs": "text/javascript; charset=utf-8",
  "": "text/plain; charset=utf-8",
};

/** Folder of what participants install; null if it was not built. */
export const downloadsFolder = (): string | null => {
  const folder = join(dirname(createRequire(import.meta.url).resolve("@curtail/cli")), "downloads");
  return existsSync(join(folder, SUMS)) ? folder : null;
};

/** Serves what participants install to everybody: it says nothing about this installation. */
export const downloadRoutes = async (
  app: FastifyInstance,
  folder: string | null,
  addresses: () => ServiceAddresses,
): Promise<void> => {
  if (folder === null) return answerNotBuilt(app, DOWNLOADS, "The downloads are not built.");
  app.get(DOWNLOADS, async (_request, reply) => reply.redirect(`${DOWNLOADS}/`));
  app.get(`${DOWNLOADS}/`, async (request, reply) => {
    const words = pageWords(request);
    const body = downloadsPage(words, filesIn(folder), addresses());
    return page(reply, words, { status: 200, title: words.say("Downloads"), body });
  });
  addUnversioned(app, folder);
  await app.register(fastifyStatic, {
    root: folder,
    prefix: `${DOWNLOADS}/`,
    decorateReply: false,
    index: false,
    dotfiles: "ignore",
    cacheControl: false,
    setHeaders: (reply, path) => void reply.headers(headersOf(basename(path))),
  });
};

const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .map((name) => ({ name, bytes: statSync(join(folder, name)).size }));

/** Addresses without a version, for commands that stay right: each leads to the one version that is here. */
const addUnversioned = (app: FastifyInstance, folder: string): void => {
  for (const file of readdirSync(folder)) {
    const name = PACKAGE.exec(file)?.groups?.["name"];
    if (name === undefined) continue;
    app.get(`${DOWNLOADS}/${name}.tgz`, async (_request, reply) =>
      reply.header("cache-control", "no-cache").redirect(`${DOWNLOADS}/${file}`),
    );
  }
};

const headersOf = (name: string): Readonly<Record<string, string>> => ({
  "content-type": types[extname(name)] ?? "application/octet-stream",
  // Asked again each time, with an ETag: an upgrade of the service replaces the files.
  "cache-control": "no-cache",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  ...(name === SUMS ? {} : { "content-disposition": `attachment; filename="${name}"` }),
});

/** Answers a request for a download that does not exist; null for any other request. */
export const missingDownload: MissingPage = ({ url }, reply) =>
  url.startsWith(`${DOWNLOADS}/`) ? answerMissing(reply) : null;

const answerMissing = async (reply: FastifyReply): Promise<FastifyReply> =>
  reply.status(404).send(errorReply(404, `There is no such file; ${DOWNLOADS}/ lists those of this version.`));

/** A file that is handed out. */
interface Download {
  readonly name: string;
  readonly bytes: number;
}

const INTRODUCTION = english(
  "What participants install, in the version that this service runs. Node.js 20.19 or newer is needed, and no key.",
);
const AS_COMMAND = english("or, as the command <code>curtail</code>:");
const DOCUMENTS = english(
  "Documentation: <tutorial>tutorial</tutorial>, <cli>command line</cli>, <agent>agent</agent>, <sdk>libraries</sdk>, <nodered>Node-RED</nodered>.",
);

const linkTo =
  (document: string) =>
  (inside: string): string =>
    `<a href="/docs/${document}.html">${inside}</a>`;

const documentLinks = {
  tutorial: linkTo("tutorial"),
  cli: linkTo("cli"),
  agent: linkTo("agent"),
  sdk: linkTo("sdk"),
  nodered: linkTo("recipes/node-red"),
};

/** Body of the page that lists the downloads, with the commands that use them. */
const downloadsPage = (
  words: Words,
  files: readonly Download[],
  { production, sandbox }: Pick<ServiceAddresses, "production" | "sandbox">,
): string => {
  const at = `${production}/downloads`;
  return `<p>${saidHtml(words, INTRODUCTION)}</p>
<h2>${saidHtml(words, english("Command line and agent"))}</h2>
${commands(`curl -O ${at}/curtail.mjs`, `node curtail.mjs login --url ${sandbox}`)}
<p>${saidHtml(words, AS_COMMAND, { code: (inside) => `<code>${inside}</code>` })}</p>
${commands(`npm install --global ${at}/curtail-cli.tgz`)}
<h2>${saidHtml(words, english("Libraries for Node.js and browsers"))}</h2>
${commands(`npm install ${at}/curtail-client.tgz`, `npm install ${at}/curtail-spool.tgz`)}
<h2>${saidHtml(words, english("Nodes for Node-RED"))}</h2>
${commands(`cd ~/.node-red && npm install ${at}/curtail-node-red.tgz`)}
<h2>${saidHtml(words, english("Files"))}</h2>
<ul>${files.map((file) => item(words, file)).join("")}</ul>
<p>${saidHtml(words, DOCUMENTS, documentLinks)}</p>
<p><a href="${NOTICES}">${saidHtml(words, english("Third-party licences"))}</a></p>`;
};

const commands = (...lines: readonly string[]): string => `<output>${lines.join("\n")}</output>`;

const item = (words: Words, { name, bytes }: Download): string =>
  `<li><a href="${name}">${name}</a>, ${sizeOf(words, bytes)}</li>`;

const megabytesOf = perWords(
  ({ locale }) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);

const sizeOf = (words: Words, bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${megabytesOf(words).format(bytes / 1_000_000)} MB`;
