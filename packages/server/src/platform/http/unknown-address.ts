import type { FastifyRequest } from "fastify";
import { requestValue } from "./request-value.js";

const unknown = requestValue<true>();

/** Records that the request's address does not exist. */
export const setUnknownAddress = (request: FastifyRequest): void => unknown.set(request, true);

/** Whether the answer was that the address does not exist. */
export const isUnknownAddress = (request: FastifyRequest): boolean => unknown.get(request) === true;
