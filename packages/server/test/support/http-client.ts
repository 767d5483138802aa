import { createClient, type InputArguments } from "@curtail/client";
import type { Endpoint, ReplyOf } from "@curtail/contract";
import { plainFetch } from "@curtail/testing/plain-fetch";

/** An answer as a client sees it; `body` is null if the text is not JSON. */
// A test looks into what it was sent; each expectation is the check.
// oxlint-disable-next-line typescript/no-explicit-any
export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** Where the endpoint has no reply, the body is null. */
export type AnswerOf<E extends Endpoint> = Answer<undefined extends ReplyOf<E> ? null : ReplyOf<E>>;

/** Never follows a redirect. */
export interface Send {
  /** Makes a well-formed call and returns the answer, also an error. */
  <E extends Endpoint>(endpoint: E, ...input: InputArguments<E>): Promise<AnswerOf<E>>;
  /** For what the contract does not allow: sends JSON, or a string as it stands. */
  (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export const httpClient = (baseUrl: string, headers: Readonly<Record<string, string>> = {}): Send => {
  const client = createClient({ baseUrl, headers, redirect: "manual", fetch: plainFetch });
  return async (first: Endpoint | string, ...rest: unknown[]) =>
    answerOf(
      typeof first === "string"
        ? await sendRaw(baseUrl, headers, [first, ...rest] as RawRequest)
        : await client.send(first, ...(rest as InputArguments<Endpoint>)),
    );
};

type RawRequest = [method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>];

const sendRaw = (
  baseUrl: string,
  defaults: Readonly<Record<string, string>>,
  [method, path, body, headers = {}]: RawRequest,
): Promise<Response> =>
  plainFetch(baseUrl + path, {
    method,
    redirect: "manual",
    headers: { ...defaults, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
