import type { FastifyRequest } from "fastify";
import { HttpError } from "./error-replies.js";

export const isWrite = ({ method }: FastifyRequest): boolean => method !== "GET" && method !== "HEAD";

/**
 * Refuses requests that a page of another site makes a signed-in browser send. Browsers state the origin in
 * Sec-Fetch-Site or, over plain http, in Origin. A client that sends neither is not a browser, so no page can misuse
 * its cookie.
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
