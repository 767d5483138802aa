/**
 * One operation of an interface: its address, and the types of what it takes and returns. `types` exists for the
 * compiler only. A part that the operation does not have is undefined.
 *
 * @internal
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the address of the interface, parameters in braces: `/dispatches/{id}`. */
  readonly path: string;
  readonly types?: {
    readonly params: unknown;
    readonly query: unknown;
    readonly body: unknown;
    readonly reply: unknown;
  };
}

type PartOf<E, Name extends keyof NonNullable<Endpoint["types"]>> = E extends {
  readonly types?: infer T extends Endpoint["types"];
}
  ? NonNullable<T>[Name]
  : unknown;
/** What a call of the endpoint returns. @internal */
export type ReplyOf<E> = PartOf<E, "reply">;

/** Settings of one call. @internal */
export interface CallOptions {
  /** Added to those of the client; overrides headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborting it ends the call, which then throws `NoResponse`. */
  readonly signal?: AbortSignal;
}

/**
 * The parameters, query and body that the contract defines for an endpoint. Every member of a query is optional.
 *
 * @internal
 */
export type CallInput<E extends Endpoint> = Part<"params", PartOf<E, "params">> &
  QueryPart<PartOf<E, "query">> &
  Part<"body", PartOf<E, "body">> &
  CallOptions;

/** The arguments of a call after the endpoint; none if no input is required. @internal */
export type InputArguments<E extends Endpoint> =
  CallOptions extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

/** Optional for an endpoint that is unknown at compile time. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : undefined extends T
    ? { readonly [K in Name]?: Exclude<T, undefined> }
    : { readonly [K in Name]: T };
type QueryPart<T> = [T] extends [undefined] ? unknown : { readonly query?: Exclude<T, undefined> };

/** The input of any call. */
export interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const PARAMETER = /\{(\w+)\}/g;

/** Names of the parameters of a path. */
export const pathParameters = (path: string): string[] => [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);

/**
 * Path and query of a request.
 *
 * @internal
 * @param path of an endpoint, with parameters in braces: `/dispatches/{id}`
 * @example requestPath("/dispatches/{id}", { params: { id: "dis_1" } }) // "/dispatches/dis_1"
 */
export const requestPath = (path: string, { params = {}, query = {} }: Pick<AnyInput, "params" | "query">): string => {
  const filled = path.replaceAll(PARAMETER, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(name, String(each));
  }
  const text = search.toString();
  return text === "" ? filled : `${filled}?${text}`;
};
