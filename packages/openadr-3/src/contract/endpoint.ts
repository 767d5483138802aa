import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import type { Scope } from "../rules/scopes.js";
import { int32, ObjectId } from "./values.js";

/** An operation of the specification. */
export interface Endpoint {
  /** Its operationId. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What a token has to have; null: no token is needed. */
  readonly scope: Scope | null;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly reply: TSchema;
  readonly status?: 201;
}

export const endpoint = <const E extends Omit<Endpoint, "description">>(
  operation: E,
): E & { readonly description: string } => ({ ...operation, description: operation.summary });

/** The most objects in an answer, and as many as it has if no limit is given. */
export const MAX_PAGE = 50;

const page = {
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Objects to skip." })),
  limit: Type.Optional(int32("The most objects to return. Default: 50.", { minimum: 0, maximum: MAX_PAGE })),
};

interface Kind<Query extends TProperties, Body extends TSchema, Reply extends TSchema> {
  /** `program`, of /programs. */
  readonly noun: string;
  readonly tag: string;
  /** Its operationIds. */
  readonly ids: Readonly<Record<"search" | "create" | "get" | "update" | "remove", string>>;
  readonly read: Scope;
  readonly write: Scope;
  /** What a search filters by. */
  readonly filters: Query;
  readonly body: Body;
  readonly reply: Reply;
}

/** The five operations on objects of a type. */
export const objectEndpoints = <Query extends TProperties, Body extends TSchema, Reply extends TSchema>(
  kind: Kind<Query, Body, Reply>,
) => {
  const { noun, tag, ids, read, write, body, reply } = kind;
  const all = { tag, path: `/${noun}s` } as const;
  const one = { tag, path: `/${noun}s/{id}`, params: Type.Object({ id: ObjectId }) } as const;
  return {
    search: endpoint({
      ...all,
      id: ids.search,
      method: "GET",
      summary: `Lists ${noun}s.`,
      scope: read,
      query: Type.Object({ ...kind.filters, ...page }),
      reply: Type.Array(reply),
    }),
    create: endpoint({
      ...all,
      id: ids.create,
      method: "POST",
      summary: `Creates a ${noun}.`,
      scope: write,
      body,
      reply,
      status: 201,
    }),
    get: endpoint({ ...one, id: ids.get, method: "GET", summary: `Returns a ${noun}.`, scope: read, reply }),
    update: endpoint({
      ...one,
      id: ids.update,
      method: "PUT",
      summary: `Replaces a ${noun}.`,
      scope: write,
      body,
      reply,
    }),
    remove: endpoint({
      ...one,
      id: ids.remove,
      method: "DELETE",
      summary: `Deletes a ${noun} and the objects that refer to it.`,
      scope: write,
      reply,
    }),
  } as const;
};

export type ObjectEndpoints = ReturnType<typeof objectEndpoints<TProperties, TSchema, TSchema>>;
