import type { FastifyInstance } from "fastify";
import { HttpError } from "./error-replies.js";
import { page, privateHeaders, wantsHtml } from "./one-time-page.js";

/** What a one-time link reveals. */
interface Revealed {
  readonly json: object;
  /** Safe HTML. */
  readonly html: string;
}

/** A kind of one-time link. */
export interface ClaimKind {
  /** Path prefix of its links; the token follows. */
  readonly path: string;
  /** The name of what it reveals, as in "Show the key". */
  readonly thing: string;
  readonly title: string;
  readonly ask: string;
  /** Reveals it once; null for a used, expired or unknown link. */
  readonly claim: (token: string) => Promise<Revealed | null>;
}

interface ClaimRoute {
  Params: { token: string };
}

/**
 * One-time links. Opening one shows only a button, because email scanners open links; pressing it reveals the content.
 * The first page is the same for valid, used, expired and unknown links.
 */
export const claimRoutes = (app: FastifyInstance, kinds: readonly ClaimKind[]): void => {
  for (const kind of kinds) claimRoute(app, kind);
};

const claimRoute = (app: FastifyInstance, { path, thing, title, ask, claim }: ClaimKind): void => {
  const button = `<form method="post"><button autofocus>Show the ${thing}</button></form>`;
  app.get<ClaimRoute>(`${path}/:token`, async (_request, reply) =>
    page(reply, { status: 200, title, body: `<p>${ask}</p>\n${button}` }),
  );

  app.post<ClaimRoute>(`${path}/:token`, async (request, reply) => {
    // Set before anything can fail: errors must not be cached either.
    reply.headers(privateHeaders);
    const revealed = await claim(request.params.token);
    if (!wantsHtml(request)) {
      if (revealed === null) throw new HttpError(404, gone);
      return reply.send(revealed.json);
    }
    const body = revealed?.html ?? `<p>${gone}</p>`;
    return page(reply, { status: revealed === null ? 404 : 200, title, body });
  });
};

const gone = "This link is not valid: it has been used or has expired. Ask the operator for a new one.";
