import type { FastifyRequest } from "fastify";
import type { Browser } from "../operations/manage-sessions.js";

/** What a session remembers of where it was begun. */
export const browserOf = ({ ip, headers }: FastifyRequest): Browser => ({
  userAgent: headers["user-agent"] ?? "",
  address: ip,
});
