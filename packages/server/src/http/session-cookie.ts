import type { FastifyReply, FastifyRequest } from "fastify";

const NAME = "curtail_session";

// Lax: a link from a mail or another page arrives signed in; what changes something is checked besides (same-site.ts).
const attributes = { path: "/", httpOnly: true, sameSite: "lax" } as const;

export const sessionTokenOf = (request: FastifyRequest): string | null => request.cookies[NAME] ?? null;

export interface SessionCookie {
  readonly token: string;
  readonly expiresAt: Date;
  /** Address under which browsers reach the service. */
  readonly publicUrl: string;
}

export const setSessionCookie = (reply: FastifyReply, { token, expiresAt, publicUrl }: SessionCookie): void =>
  void reply.setCookie(NAME, token, { ...attributes, secure: isHttps(publicUrl), expires: expiresAt });

export const clearSessionCookie = (reply: FastifyReply, publicUrl: string): void =>
  void reply.clearCookie(NAME, { ...attributes, secure: isHttps(publicUrl) });

export const isHttps = (publicUrl: string): boolean => publicUrl.startsWith("https:");
