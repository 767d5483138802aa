import type { CallInput, Endpoint, ReplyOf } from "./call-input.js";
import { type ClientOptions, replyTo } from "./client.js";

/** Paths of a list of endpoints for a method. @internal */
export type PathOf<All extends Endpoint, M> = Extract<All, { method: M }>["path"];
/** The endpoint of a list with this method and path. @internal */
export type EndpointAt<All extends Endpoint, M, P> = Extract<All, { method: M; path: P }>;

/** Calls an endpoint by its method and path; throws like `Client.call`. @internal */
export type CallByPath<All extends Endpoint> = <M extends All["method"], P extends PathOf<All, M>>(
  method: M,
  path: P,
  input: CallInput<EndpointAt<All, M, P>>,
) => Promise<ReplyOf<EndpointAt<All, M, P>>>;

/**
 * Calls the endpoints of one interface by method and path. Browsers need only the types of the contract for it, not its
 * schemas.
 *
 * @internal
 * @example
 * const call = callByPath<(typeof operator.operatorEndpoints)[number]>({ baseUrl: "/operator/v1" });
 * await call("GET", "/dispatches/{id}", { params: { id } });
 */
export const callByPath =
  <All extends Endpoint>(options: ClientOptions): CallByPath<All> =>
  async <M extends All["method"], P extends PathOf<All, M>>(
    method: M,
    path: P,
    input: CallInput<EndpointAt<All, M, P>>,
  ) =>
    (await replyTo(options, { method, path }, input)) as ReplyOf<EndpointAt<All, M, P>>;
