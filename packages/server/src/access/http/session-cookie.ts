import type { FastifyReply, FastifyRequest } from "fastify";
import { isHttps } from "../../platform/http/public-url.js";
import { DEVICE_DAYS } from "../domain/device.js";

type CookieName = "session" | "device" | "oidc";

/** Behind https no other host below the same domain, and no page over plain http, can set a cookie of this name. */
const nameOf = (name: CookieName, publicUrl: string): string => `${isHttps(publicUrl) ? "__Host-" : ""}curtail_${name}`;

// Lax: a link from a mail or another page arrives signed in; what changes something is checked besides (same-site.ts).
const attributesOf = (publicUrl: string) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(publicUrl) }) as const;

export const cookieOf = (request: FastifyRequest, name: CookieName, publicUrl: string): string | null =>
  request.cookies[nameOf(name, publicUrl)] ?? null;

export interface Cookie {
  readonly name: CookieName;
  readonly value: string;
  readonly until: { readonly expires: Date } | { readonly maxAge: number };
  /** Address under which browsers reach the service. */
  readonly publicUrl: string;
}

export const setCookie = (reply: FastifyReply, { name, value, until, publicUrl }: Cookie): void =>
  void reply.setCookie(nameOf(name, publicUrl), value, { ...attributesOf(publicUrl), ...until });

export const clearCookie = (reply: FastifyReply, name: CookieName, publicUrl: string): void =>
  void reply.clearCookie(nameOf(name, publicUrl), attributesOf(publicUrl));

export interface SignedInCookies {
  readonly token: string;
  readonly session: { readonly expiresAt: Date };
  readonly deviceToken: string;
}

/** So that a browser that comes back can be answered why it has to sign in. */
const KEPT_AFTER_MS = 7 * 86_400_000;

/** The session's, and the one by which the browser is known to have signed in before. */
export const setSignedInCookies = (
  reply: FastifyReply,
  { token, session, deviceToken }: SignedInCookies,
  publicUrl: string,
): void => {
  const expires = new Date(session.expiresAt.getTime() + KEPT_AFTER_MS);
  setCookie(reply, { name: "session", value: token, until: { expires }, publicUrl });
  setCookie(reply, { name: "device", value: deviceToken, until: { maxAge: DEVICE_DAYS * 86_400 }, publicUrl });
};
