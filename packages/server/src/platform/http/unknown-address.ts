import type { FastifyRequest } from "fastify";
import { requestValue } from "./request-value.js";

const unknown = requestValue<true>();

/** Notes that nothing is at a request's address. */
export const setUnknownAddress = (request: FastifyRequest): void => unknown.set(request, true);

/** Whether a request was answered that nothing is at its address. */
export const isUnknownAddress = (request: FastifyRequest): boolean => unknown.get(request) === true;
