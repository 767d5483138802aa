import type { Static, TObject, TSchema } from "typebox";

/** One operation of an interface: what the server routes, the OpenAPI document lists and clients call. */
export interface Endpoint {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the version prefix, parameters in braces: `/dispatches/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly reply?: TSchema;
  /** Instead of a reply: server-sent events by name, with the schema of their data. */
  readonly events?: Readonly<Record<string, TSchema>>;
  /** Body of a 202: what is asked for is not there yet. Retry-After says when to ask again. */
  readonly notYet?: TSchema;
  /** Media types of a file that is answered instead of JSON. */
  readonly files?: readonly string[];
  /**
   * Heeds Idempotency-Key: sent again with the same key, it is answered as before and not carried out again. `within`: all
   * it does is in the database. `outside`: a repeat gets 409 while the first one's outcome is not known.
   */
  readonly once?: "within" | "outside";
  /** Media types of the forms that the query may ask for in place of the reply's JSON. */
  readonly otherForms?: readonly string[];
  /** Status of a success; 200 unless said. */
  readonly status?: 200 | 201 | 204 | 303;
  /** Not Found where the service is not set up for it. */
  readonly isOptional?: true;
}

/** A request that the service sends to webhooks. */
export interface Notification {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  /** What follows from any answer but a success. */
  readonly failure: string;
}

/** Keeps the literal schema types, so that handlers and clients are typed by the contract. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;
export type ParamsOf<E extends Endpoint> = StaticOf<E["params"]>;
export type QueryOf<E extends Endpoint> = StaticOf<E["query"]>;
export type BodyOf<E extends Endpoint> = StaticOf<E["body"]>;
export type ReplyOf<E extends Endpoint> = StaticOf<E["reply"]>;
