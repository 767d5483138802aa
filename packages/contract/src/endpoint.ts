import type { Static, TObject, TSchema } from "typebox";

/** One operation of an interface, for the routes of the server, the OpenAPI document and clients. */
export interface Endpoint {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the version prefix, parameters in braces: `/dispatches/{id}`. */
  readonly path: string;
  readonly tag: string;
  /** A few words that begin with a verb. */
  readonly summary: string;
  /** What it does and does not do, the errors that matter, what happens next. Markdown. */
  readonly description: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Media types of a body that is a file in place of JSON. */
  readonly takes?: readonly string[];
  readonly reply?: TSchema;
  /** Instead of a reply: server-sent events by name, with the schema of their data. */
  readonly events?: Readonly<Record<string, TSchema>>;
  /** Body of a 202: the result is being prepared. Retry-After says when to ask again. */
  readonly notYet?: TSchema;
  /** Media types of a file in place of JSON. */
  readonly files?: readonly string[];
  /**
   * Honours Idempotency-Key: a repeat gets the stored reply and is not carried out again. `within`: all effects are in
   * the database. `outside`: a repeat gets 409 while the outcome of the first is unknown.
   */
  readonly once?: "within" | "outside";
  /** Media types that the query may ask for in place of the reply's JSON. */
  readonly otherForms?: readonly string[];
  /** Status of a success; 200 by default. */
  readonly status?: 200 | 201 | 204 | 303;
  /** Replies carry an ETag, and 304 answers an If-None-Match that names it (G74). */
  readonly isTagged?: true;
  /** Needs no credentials. */
  readonly isOpen?: true;
  /** 404 if the service is not configured for it. */
  readonly isOptional?: true;
}

/** A request that the service sends to webhooks. */
export interface Notification {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  /** What a status other than success means. */
  readonly failure: string;
}

/**
 * An endpoint with the types of its parts. `types` exists for the compiler only: clients read it and need no schemas.
 * That of an endpoint that was spread into this one is replaced.
 */
export type TypedEndpoint<E extends Endpoint> = Omit<E, "types"> & {
  readonly types?: {
    readonly params: ParamsOf<E>;
    readonly query: QueryOf<E>;
    readonly body: BodyOf<E>;
    readonly reply: ReplyOf<E>;
  };
};

/** Keeps the literal schema types, so that handlers and clients are typed by the contract. */
export const endpoint = <const E extends Endpoint>(definition: E): TypedEndpoint<E> => definition;

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;
export type ParamsOf<E extends Endpoint> = StaticOf<E["params"]>;
export type QueryOf<E extends Endpoint> = StaticOf<E["query"]>;
export type BodyOf<E extends Endpoint> = StaticOf<E["body"]>;
export type ReplyOf<E extends Endpoint> = StaticOf<E["reply"]>;
