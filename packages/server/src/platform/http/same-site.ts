import type { FastifyRequest } from "fastify";
import { HttpError } from "./error-replies.js";

export const isWrite = ({ method }: FastifyRequest): boolean => method !== "GET" && method !== "HEAD";

/**
 * Whether no page of another site made the browser send a request. Browsers state the origin in Sec-Fetch-Site or, over
 * plain http, in Origin. A client that sends neither is not a browser, so no page can misuse its cookie.
 */
export const isFromOwnPage = ({ headers }: FastifyRequest, publicUrl: string): boolean => {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin === undefined || headers.origin === originOf(publicUrl);
};

/** Refuses requests that a page of another site makes a signed-in browser send. */
export const refuseOtherSites = (request: FastifyRequest, publicUrl: string): void => {
  if (!isFromOwnPage(request, publicUrl))
    throw new HttpError(400, `the request comes from a page of another site; open ${publicUrl} instead`);
};

const originOf = (publicUrl: string): string => new URL(publicUrl).origin;
