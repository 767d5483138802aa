import type { FastifyRequest } from "fastify";

export interface RequestValue<T> {
  get(request: FastifyRequest): T | undefined;
  set(request: FastifyRequest, value: T): void;
}

/**
 * A value that is kept with each request. It stands on the request itself: what a WeakMap holds outlives its request until
 * the next major collection, which uploads then bring about three times as often.
 */
export const requestValue = <T>(): RequestValue<T> => {
  const name = Symbol("curtail");
  type Carrier = FastifyRequest & { [name]?: T };
  return {
    get: (request) => (request as Carrier)[name],
    set: (request, value) => {
      (request as Carrier)[name] = value;
    },
  };
};
