import type { Endpoint } from "../endpoint.js";

/** An operation on an account that the path names, as one on the caller's own: without the name. */
export const ofOwnAccount = <E extends Endpoint>(endpoint: E): Omit<E, "params"> => {
  const { params: _params, ...rest } = endpoint;
  return rest;
};
