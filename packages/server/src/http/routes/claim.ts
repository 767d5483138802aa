import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError } from "../error-replies.js";

/** Reveals a key once; null for a used, expired or unknown link. */
export type ClaimKey = (token: string) => Promise<string | null>;

interface ClaimRoute {
  Params: { token: string };
}

const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
};

/**
 * One-time links. Opening one shows a button only, because mail scanners open links; pressing it reveals the key.
 * The page before the button says nothing of the link: used, expired and unknown ones look like good ones.
 */
export const claimRoutes = (app: FastifyInstance, claim: ClaimKey): void => {
  // A form sends its fields so; there are none.
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 1024 },
    async () => ({}),
  );

  app.get<ClaimRoute>("/claim/:token", async (_request, reply) => page(reply, 200, askPage));

  app.post<ClaimRoute>("/claim/:token", async (request, reply) => {
    // Before anything can fail: an error must not be kept on the way either.
    reply.headers(headers);
    const apiKey = await claim(request.params.token);
    if (!wantsHtml(request)) {
      if (apiKey === null) throw new HttpError(404, gone);
      return reply.send({ api_key: apiKey });
    }
    return apiKey === null ? page(reply, 404, `<p>${gone}</p>`) : page(reply, 200, keyPage(apiKey));
  });
};

const wantsHtml = (request: FastifyRequest): boolean => request.headers.accept?.includes("text/html") === true;

const gone = "This link has been used, has expired, or never was. Ask the operator for a new one.";

const askPage = `<p>This link shows an API key once. Have a safe place ready to keep it.</p>
<form method="post"><button autofocus>Show the key</button></form>`;

const keyPage = (apiKey: string): string =>
  `<p>Your API key. It is not shown again: keep it safe, and send it in the key header of every request.</p>
<output>${apiKey}</output>`;

const page = (reply: FastifyReply, status: number, body: string) =>
  reply
    .status(status)
    .headers(headers)
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Curtail API key</title><style>${style}</style></head>
<body><main><h1>Curtail API key</h1>${body}</main></body></html>
`);

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14171a); }
main { max-width: 36rem; margin: 1rem; padding: 2rem; border-radius: .75rem; background: light-dark(#fff, #1e2327); }
h1 { margin-top: 0; font-size: 1.25rem; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; background: #0b6e4f; color: #fff; cursor: pointer; }
output { display: block; padding: 1rem; border-radius: .5rem; overflow-wrap: anywhere; font-family: ui-monospace, monospace;
  background: light-dark(#eef1f3, #0f1214); user-select: all; }`;
