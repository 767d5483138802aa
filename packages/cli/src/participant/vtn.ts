import { CommandFailure } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { EXIT_REFUSED, reasonOf } from "./participant-failure.js";

/** An event of OpenADR 3.1 as the VTN returns it; other members are handed on as they are. */
export interface VtnEvent {
  readonly id: string;
  readonly eventName?: string;
  readonly createdDateTime: string;
  readonly modificationDateTime: string;
}

/** A client of a VTN. */
export interface VtnClient {
  /** Address with the path of the version, such as `https://vtn.example.com/openadr3/3.1.0`. */
  readonly url: string;
  readonly id: string;
  readonly secret: string;
}

/** The VTN is away, or asks to come back later. */
export class VtnAway extends Error {
  constructor(
    message: string,
    /** Until it may be asked again; null if it does not say. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** As many as the specification allows on a page. */
const PAGE = 50;
/** 20,000 events: more would be a fault of the VTN, and fill the memory. */
const MOST_PAGES = 400;
const TIMEOUT_MS = 30_000;

/** Reads the events of a VTN as its client. Throws `VtnAway`, or a `CommandFailure` if the client is refused. */
export class Vtn {
  private token: string | null = null;

  constructor(
    private readonly client: VtnClient,
    private readonly fetch: typeof globalThis.fetch,
  ) {}

  /** All events that have not ended, in the order of their creation. */
  async events(signal?: AbortSignal): Promise<readonly VtnEvent[]> {
    const all: VtnEvent[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const path = `/events?active=true&limit=${PAGE}&skip=${page * PAGE}`;
      const found = ((await this.read(path, signal)) ?? []) as readonly VtnEvent[];
      if (!Array.isArray(found)) throw new VtnAway(`${this.client.url}/events does not answer a list`);
      all.push(...found);
      if (found.length < PAGE) return all;
    }
    throw new CommandFailure(`${this.client.url} has more than ${MOST_PAGES * PAGE} events`);
  }

  /** An event, also one that has ended; null if the client sees it no more. */
  event(id: string, signal?: AbortSignal): Promise<VtnEvent | null> {
    return this.read(`/events/${encodeURIComponent(id)}`, signal) as Promise<VtnEvent | null>;
  }

  /** The body of an answer; null for 404. */
  private async read(path: string, signal: AbortSignal | undefined): Promise<unknown> {
    const ask = async () => {
      this.token ??= await this.newToken(signal);
      return this.send(this.client.url + path, { headers: { authorization: `Bearer ${this.token}` } }, signal);
    };
    let response = await ask();
    if (response.status === 401) {
      // Tokens last for an hour.
      this.token = null;
      response = await ask();
    }
    return response.status === 404 ? null : this.bodyOf(response);
  }

  private async newToken(signal: AbortSignal | undefined): Promise<string> {
    const { url, id, secret } = this.client;
    const server = (await this.bodyOf(await this.send(`${url}/auth/server`, {}, signal))) as {
      tokenURL?: unknown;
    } | null;
    const tokenUrl = String(server?.tokenURL);
    if (!URL.canParse(tokenUrl)) throw new CommandFailure(`${url} is not the address of a VTN of OpenADR 3.1`);
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const issued = (await this.bodyOf(await this.send(tokenUrl, { method: "POST", body }, signal))) as {
      access_token?: unknown;
    } | null;
    if (typeof issued?.access_token !== "string") throw new CommandFailure(`${tokenUrl} answers no token`);
    return issued.access_token;
  }

  private async send(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])];
    try {
      // The secret stays with its address: redirects are not followed.
      return await this.fetch(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
    } catch (error) {
      signal?.throwIfAborted();
      throw new VtnAway(`no VTN answers at ${harmless(this.client.url)} (${reasonOf(error)})`);
    }
  }

  private async bodyOf(response: Response): Promise<unknown> {
    const { status, ok, headers } = response;
    const text = await response.text().catch(() => "");
    const body = parsed(text);
    if (ok) return body;
    const words = `${harmless(this.client.url)} responded with ${status}: ${harmless(wordsOf(body))}`;
    if (status < 500 && status !== 429) throw new CommandFailure(words, EXIT_REFUSED);
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    throw new VtnAway(words, Number.isFinite(seconds) ? seconds : null);
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Of a problem, or of an error of OAuth 2. */
const wordsOf = (body: unknown): string => {
  const { detail, error_description, title, error } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const words = [detail, error_description, title, error].find((each): each is string => typeof each === "string");
  return (words ?? "no reason given").slice(0, 500);
};
