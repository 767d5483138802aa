import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError } from "../error-replies.js";

/** What a kind of one-time link reveals. */
export interface Revealed {
  readonly json: object;
  /** HTML, safe to show. */
  readonly html: string;
}

/** A kind of one-time link. */
export interface ClaimKind {
  /** Where its links lie, with the token as their last part. */
  readonly path: string;
  /** What it reveals, as in "Show the key". */
  readonly thing: string;
  readonly title: string;
  readonly ask: string;
  /** Reveals it once; null for a used, expired or unknown link. */
  readonly claim: (token: string) => Promise<Revealed | null>;
}

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
 * One-time links. Opening one shows a button only, because mail scanners open links; pressing it reveals the thing.
 * The page before the button says nothing of the link: used, expired and unknown ones look like good ones.
 */
export const claimRoutes = (app: FastifyInstance, kinds: readonly ClaimKind[]): void => {
  // A form sends its fields so; there are none.
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 1024 },
    async () => ({}),
  );
  for (const kind of kinds) claimRoute(app, kind);
};

const claimRoute = (app: FastifyInstance, { path, thing, title, ask, claim }: ClaimKind): void => {
  const button = `<form method="post"><button autofocus>Show the ${thing}</button></form>`;
  app.get<ClaimRoute>(`${path}/:token`, async (_request, reply) =>
    page(reply, 200, { title, body: `<p>${ask}</p>\n${button}` }),
  );

  app.post<ClaimRoute>(`${path}/:token`, async (request, reply) => {
    // Before anything can fail: an error must not be kept on the way either.
    reply.headers(headers);
    const revealed = await claim(request.params.token);
    if (!wantsHtml(request)) {
      if (revealed === null) throw new HttpError(404, gone);
      return reply.send(revealed.json);
    }
    return page(reply, revealed === null ? 404 : 200, { title, body: revealed?.html ?? `<p>${gone}</p>` });
  });
};

const wantsHtml = (request: FastifyRequest): boolean => request.headers.accept?.includes("text/html") === true;

const gone = "This link has been used, has expired, or never was. Ask the operator for a new one.";

interface Page {
  readonly title: string;
  readonly body: string;
}

const page = (reply: FastifyReply, status: number, { title, body }: Page) =>
  reply
    .status(status)
    .headers(headers)
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`);

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14171a); }
main { max-width: 36rem; margin: 1rem; padding: 2rem; border-radius: .75rem; background: light-dark(#fff, #1e2327); }
h1 { margin-top: 0; font-size: 1.25rem; }
h2 { margin: 1.5rem 0 0; font-size: 1rem; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .5rem; background: #0b6e4f; color: #fff; cursor: pointer; }
output { display: block; padding: 1rem; border-radius: .5rem; overflow-wrap: anywhere; white-space: pre-wrap; font-family: ui-monospace, monospace;
  background: light-dark(#eef1f3, #0f1214); user-select: all; }`;
