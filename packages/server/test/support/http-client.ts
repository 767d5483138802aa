/** An answer as a client sees it; `body` is null if the text is not JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // A test looks into what it was sent; each expectation is the check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Sends JSON, or a string unchanged; never follows a redirect. */
export const httpClient =
  (base: string, defaults: Readonly<Record<string, string>> = {}): Send =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(base + path, {
      method,
      redirect: "manual",
      headers: { ...defaults, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
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
