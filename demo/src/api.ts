import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from "@curtail/contract";

export interface Request<E extends Endpoint> {
  readonly params?: ParamsOf<E>;
  readonly query?: QueryOf<E>;
  readonly body?: BodyOf<E>;
}

/** Calls one of the service's interfaces; a refusal throws with the service's own words. */
export type Api = <E extends Endpoint>(endpoint: E, request?: Request<E>) => Promise<ReplyOf<E>>;

const CALL_MS = 30_000;

export const operatorApi = (url: string, token: string): Api =>
  apiAt(`${url}/operator/v1`, { authorization: `Bearer ${token}` });

export const participantApi = (url: string, key: string): Api =>
  apiAt(`${url}/2022-04-15`, { "x-service-api-key": key });

const apiAt =
  (base: string, headers: Readonly<Record<string, string>>): Api =>
  async <E extends Endpoint>(endpoint: E, { params, query, body }: Request<E> = {}): Promise<ReplyOf<E>> => {
    const named = (params ?? {}) as Readonly<Record<string, string>>;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ""));
    const search = query === undefined ? "" : `?${new URLSearchParams(query as Record<string, string>).toString()}`;
    return (await send(`${base}${path}${search}`, { method: endpoint.method, headers, body })) as ReplyOf<E>;
  };

interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Also for one-time links, which are in no contract. */
export const send = async (url: string, { method, headers = {}, body }: Sent): Promise<unknown> => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};
