import type { FastifyInstance, FastifyReply } from "fastify";
import { isHttps } from "./public-url.js";

const YEAR_SECONDS = 31_536_000;

/** Headers of every answer; cacheable answers, such as the files of the pages, override them. */
export const headersFor = (publicUrl: string | null): Readonly<Record<string, string>> => ({
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Without subdomains: we do not decide for other hosts of the domain.
  ...(publicUrl !== null && isHttps(publicUrl) ? { "strict-transport-security": `max-age=${YEAR_SECONDS}` } : {}),
});

export const addHeaders = (app: FastifyInstance, headers: Readonly<Record<string, string>>): void => {
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
};

/** Headers set so far, for responses that bypass the framework. */
export const headersSoFar = (reply: FastifyReply): Record<string, string> =>
  reply.getHeaders() as Record<string, string>;
