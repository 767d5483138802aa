import type { Endpoint } from "../endpoint.js";

/** An operation on an account, without the path parameter that names the account: it is the caller's own. */
export const ofOwnAccount = <E extends Endpoint>(endpoint: E): Omit<E, "params"> => {
  const { params: _params, ...rest } = endpoint;
  return rest;
};
