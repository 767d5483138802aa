import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { escaped } from "../escaped-html.js";
import type { Words } from "../words.js";
import type { OpenBodies } from "./open-bodies.js";
import { receiveBody } from "./receive-body.js";

/** Parses form bodies into an object of strings. */
export const takeForms = (app: FastifyInstance, bodies: OpenBodies): void => {
  app.addContentTypeParser("application/x-www-form-urlencoded", async (request: FastifyRequest) =>
    Object.fromEntries(new URLSearchParams((await receiveBody(request, bodies)).toString())),
  );
};

export const wantsHtml = (request: FastifyRequest): boolean => request.headers.accept?.includes("text/html") === true;

interface OneTimePage {
  readonly status: number;
  /** Text. */
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `vary`: in the language of the browser. */
export const page = (
  reply: FastifyReply,
  { language }: Words,
  { status, title, body, headers = privateHeaders }: OneTimePage,
) =>
  reply
    .status(status)
    .headers({ ...headers, "content-language": language, vary: "accept-language, cookie" })
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body></html>
`);

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14171a); }
main { max-width: 36rem; margin: 1rem; padding: 2rem; border-radius: .75rem; background: light-dark(#fff, #1e2327); }
h1 { margin-top: 0; font-size: 1.25rem; }
h2 { margin: 1.5rem 0 0; font-size: 1rem; }
label { display: block; margin-bottom: 1rem; }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .5rem; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; background: #0b6e4f; color: #fff; cursor: pointer; }
output { display: block; padding: 1rem; border-radius: .5rem; overflow-wrap: anywhere; white-space: pre-wrap; font-family: ui-monospace, monospace;
  background: light-dark(#eef1f3, #0f1214); user-select: all; }`;

/** For every response about a one-time link: its address must not leak, and the page may only submit its form. */
export const privateHeaders = {
  "referrer-policy": "no-referrer",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
};
