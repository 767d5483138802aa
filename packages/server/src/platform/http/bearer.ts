import type { FastifyRequest } from "fastify";

/** The token of `Authorization: Bearer`; null without one. */
export const bearerOf = ({ headers }: FastifyRequest): string | null =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
