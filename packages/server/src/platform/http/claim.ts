import type { FastifyInstance } from "fastify";
import { saidHtml } from "../said-html.js";
import { english, type Words } from "../words.js";
import { HttpError } from "./error-replies.js";
import { page, privateHeaders, wantsHtml } from "./one-time-page.js";
import { pageWords } from "./page-language.js";

/** What a one-time link reveals. */
interface Revealed {
  readonly json: object;
  /** Safe HTML. */
  readonly html: (words: Words) => string;
}

/** A kind of one-time link; its texts are English. */
export interface ClaimKind {
  /** Path prefix of its links; the token follows. */
  readonly path: string;
  /** "Show the key". */
  readonly button: string;
  /** Names the `{service}`. */
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
 *
 * @param service its name
 */
export const claimRoutes = (app: FastifyInstance, kinds: readonly ClaimKind[], service: string): void => {
  for (const kind of kinds) claimRoute(app, kind, service);
};

const claimRoute = (app: FastifyInstance, { path, button, title, ask, claim }: ClaimKind, service: string): void => {
  app.get<ClaimRoute>(`${path}/:token`, async (request, reply) => {
    const words = pageWords(request);
    const form = `<form method="post"><button autofocus>${saidHtml(words, button)}</button></form>`;
    const body = `<p>${saidHtml(words, ask)}</p>\n${form}`;
    return page(reply, words, { status: 200, title: words.say(title, { service }), body });
  });

  app.post<ClaimRoute>(`${path}/:token`, async (request, reply) => {
    // Set before anything can fail: errors must not be cached either.
    reply.headers(privateHeaders);
    const revealed = await claim(request.params.token);
    if (!wantsHtml(request)) {
      if (revealed === null) throw new HttpError(404, gone);
      return reply.send(revealed.json);
    }
    const words = pageWords(request);
    const body = revealed === null ? `<p>${saidHtml(words, gone)}</p>` : revealed.html(words);
    return page(reply, words, { status: revealed === null ? 404 : 200, title: words.say(title, { service }), body });
  });
};

const gone = english("This link is not valid: it has been used or has expired. Ask the operator for a new one.");
