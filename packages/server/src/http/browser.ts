import type { FastifyRequest } from "fastify";
import type { Browser } from "../operations/sign-in-ports.js";
import { placeOf } from "./client-place.js";
import { cookieOf } from "./session-cookie.js";

/** What is known of where somebody signs in. */
export const browserOf = (request: FastifyRequest, publicUrl: string): Browser => ({
  userAgent: request.headers["user-agent"] ?? "",
  address: request.ip,
  place: placeOf(request.ip),
  deviceToken: cookieOf(request, "device", publicUrl),
});
