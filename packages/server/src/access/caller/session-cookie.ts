import type { FastifyReply, FastifyRequest } from "fastify";
import { placeOf } from "../../platform/http/client-place.js";
import { isHttps } from "../../platform/http/public-url.js";
import { DEVICE_DAYS } from "../domain/device.js";
import { knownLanguage, type LanguageChoice } from "../domain/language.js";
import type { Browser } from "../operations/sign-in-ports.js";

type CookieName = "session" | "device" | "oidc";

/** Over https, no other host of the domain and no plain http page can set a cookie with this name. */
const nameOf = (name: CookieName, publicUrl: string): string => `${isHttps(publicUrl) ? "__Host-" : ""}curtail_${name}`;

// Lax, so that links from emails and other pages open signed in; changes are also checked by same-site.ts.
const attributesOf = (publicUrl: string) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(publicUrl) }) as const;

export const cookieOf = (request: FastifyRequest, name: CookieName, publicUrl: string): string | null =>
  request.cookies[nameOf(name, publicUrl)] ?? null;

interface Cookie {
  readonly name: CookieName;
  readonly value: string;
  readonly until: { readonly expires: Date } | { readonly maxAge: number };
  /** Public address of the service. */
  readonly publicUrl: string;
}

export const setCookie = (reply: FastifyReply, { name, value, until, publicUrl }: Cookie): void =>
  void reply.setCookie(nameOf(name, publicUrl), value, { ...attributesOf(publicUrl), ...until });

export const clearCookie = (reply: FastifyReply, name: CookieName, publicUrl: string): void =>
  void reply.clearCookie(nameOf(name, publicUrl), attributesOf(publicUrl));

interface SignedInCookies {
  readonly token: string;
  readonly session: { readonly expiresAt: Date };
  readonly deviceToken: string;
  readonly language: LanguageChoice;
}

/** So that a returning browser can be given the reason why it has to sign in. */
const KEPT_AFTER_MS = 7 * 86_400_000;

/** The session cookie, and the one that identifies a browser of earlier sign-ins. */
export const setSignedInCookies = (
  reply: FastifyReply,
  { token, session, deviceToken, language }: SignedInCookies,
  publicUrl: string,
): void => {
  const expires = new Date(session.expiresAt.getTime() + KEPT_AFTER_MS);
  setCookie(reply, { name: "session", value: token, until: { expires }, publicUrl });
  setCookie(reply, { name: "device", value: deviceToken, until: { maxAge: DEVICE_DAYS * 86_400 }, publicUrl });
  if (language.own !== null) setLanguageCookie(reply, language.own);
};

const LANGUAGE_SECONDS = 31_536_000;

/** What a person chose, for pages on this browser, which set it, too. null: pages are in the language of the browser again. */
export const setLanguageCookie = (reply: FastifyReply, chosen: string | null): void => {
  const attributes = { path: "/", sameSite: "lax" } as const;
  const language = knownLanguage(chosen);
  if (language === null) reply.clearCookie("language", attributes);
  else reply.setCookie("language", language, { ...attributes, maxAge: LANGUAGE_SECONDS });
};

/** What identifies the browser of a sign-in. */
export const browserOf = (request: FastifyRequest, publicUrl: string): Browser => ({
  userAgent: request.headers["user-agent"] ?? "",
  address: request.ip,
  place: placeOf(request.ip),
  deviceToken: cookieOf(request, "device", publicUrl),
});
