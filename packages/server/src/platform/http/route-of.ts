import type { FastifyRequest } from "fastify";
import { requestValue } from "./request-value.js";

const routes = requestValue<{ readonly url: string | undefined }>();

/**
 * Pattern of a request's route, such as `/dispatches/:id`. Cached: the framework creates a new object on each access.
 */
export const routeOf = (request: FastifyRequest): string | undefined => {
  const known = routes.get(request);
  if (known !== undefined) return known.url;
  const { url } = request.routeOptions;
  routes.set(request, { url });
  return url;
};
