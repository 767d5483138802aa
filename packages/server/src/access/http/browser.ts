import type { FastifyRequest } from "fastify";
import { placeOf } from "../../platform/http/client-place.js";
import type { Browser } from "../operations/sign-in-ports.js";
import { cookieOf } from "./session-cookie.js";

/** What identifies the browser of a sign-in. */
export const browserOf = (request: FastifyRequest, publicUrl: string): Browser => ({
  userAgent: request.headers["user-agent"] ?? "",
  address: request.ip,
  place: placeOf(request.ip),
  deviceToken: cookieOf(request, "device", publicUrl),
});
