import type { FastifyRequest } from "fastify";

export interface RequestValue<T, R extends object = FastifyRequest> {
  get(request: R): T | undefined;
  set(request: R, value: T): void;
}

/**
 * A value stored with each request. It is a property of the request: a WeakMap would keep it until the next major
 * collection, and uploads then cause about three times as many of those.
 */
export const requestValue = <T, R extends object = FastifyRequest>(): RequestValue<T, R> => {
  const name = Symbol("curtail");
  type Carrier = R & { [name]?: T };
  return {
    get: (request) => (request as Carrier)[name],
    set: (request, value) => {
      (request as Carrier)[name] = value;
    },
  };
};
