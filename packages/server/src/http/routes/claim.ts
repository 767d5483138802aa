import type { FastifyInstance } from "fastify";
import { HttpError } from "../error-replies.js";
import { page, privateHeaders, takeForms, wantsHtml } from "./one-time-page.js";

/** Reveals a key once; null for a used, expired or unknown link. */
export type ClaimKey = (token: string) => Promise<string | null>;

interface ClaimRoute {
  Params: { token: string };
}

/**
 * One-time links. Opening one shows a button only, because mail scanners open links; pressing it reveals the key.
 * The page before the button says nothing of the link: used, expired and unknown ones look like good ones.
 */
export const claimRoutes = (app: FastifyInstance, claim: ClaimKey): void => {
  takeForms(app);

  app.get<ClaimRoute>("/claim/:token", async (_request, reply) => page(reply, { status: 200, title, body: askPage }));

  app.post<ClaimRoute>("/claim/:token", async (request, reply) => {
    // Before anything can fail: an error must not be kept on the way either.
    reply.headers(privateHeaders);
    const apiKey = await claim(request.params.token);
    if (!wantsHtml(request)) {
      if (apiKey === null) throw new HttpError(404, gone);
      return reply.send({ api_key: apiKey });
    }
    return apiKey === null
      ? page(reply, { status: 404, title, body: `<p>${gone}</p>` })
      : page(reply, { status: 200, title, body: keyPage(apiKey) });
  });
};

const title = "Curtail API key";

const gone = "This link has been used, has expired, or never was. Ask the operator for a new one.";

const askPage = `<p>This link shows an API key once. Have a safe place ready to keep it.</p>
<form method="post"><button autofocus>Show the key</button></form>`;

const keyPage = (apiKey: string): string =>
  `<p>Your API key. It is not shown again: keep it safe, and send it in the key header of every request.</p>
<output>${apiKey}</output>`;
