import type { FastifyRequest } from "fastify";
import { HttpError } from "./error-replies.js";

export const isWrite = ({ method }: FastifyRequest): boolean => method !== "GET" && method !== "HEAD";

/**
 * Refuses what a page of another site has a signed-in browser send. Browsers say where a request comes from: in
 * Sec-Fetch-Site, and where that is not sent (plain http) in Origin. What sends neither is no browser, and nobody can
 * make it use somebody else's cookie.
 */
export const refuseOtherSites = ({ headers }: FastifyRequest, publicUrl: string): void => {
  const site = headers["sec-fetch-site"];
  const isOwn =
    site === undefined
      ? headers.origin === undefined || headers.origin === originOf(publicUrl)
      : site === "same-origin";
  if (!isOwn) {
    throw new HttpError(400, `the request comes from a page of another site; open ${publicUrl} instead`);
  }
};

const originOf = (publicUrl: string): string => new URL(publicUrl).origin;
