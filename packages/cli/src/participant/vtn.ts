import { CommandFailure } from "../admin-io.js";
import { harmless } from "../human-form.js";
import { EXIT_REFUSED, reasonOf } from "./participant-failure.js";
import { answerOf, isObject, isProblem, type VtnAnswer, wordsOf } from "./vtn-answer.js";

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

/**
 * Reads the events of a VTN as its client. Throws `VtnAway`, or a `CommandFailure` if the client is refused. What a proxy
 * answers while the VTN is away says nothing of events: only what has the form of a VTN's answer counts.
 */
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
      const found = this.bodyOf(await this.read(`/events?active=true&limit=${PAGE}&skip=${page * PAGE}`, signal));
      if (!Array.isArray(found) || !found.every(isEvent))
        throw this.noAnswer("/events does not answer a list of events");
      all.push(...found);
      if (found.length < PAGE) return all;
    }
    throw new CommandFailure(`${this.client.url} has more than ${MOST_PAGES * PAGE} events`);
  }

  /** An event, also one that has ended; null if the VTN says that the client no longer sees it. */
  async event(id: string, signal?: AbortSignal): Promise<VtnEvent | null> {
    const answer = await this.read(`/events/${encodeURIComponent(id)}`, signal);
    if (answer.status === 404 && isProblem(answer.body)) return null;
    const found = this.bodyOf(answer);
    if (!isEvent(found) || found.id !== id) throw this.noAnswer(`/events/${id} does not answer the event`);
    return found;
  }

  private async read(path: string, signal: AbortSignal | undefined): Promise<VtnAnswer> {
    const ask = async () => {
      this.token ??= await this.newToken(signal);
      return this.send(this.client.url + path, { headers: { authorization: `Bearer ${this.token}` } }, signal);
    };
    const answer = await ask();
    if (answer.status !== 401) return answer;
    // Tokens last for an hour.
    this.token = null;
    return ask();
  }

  private async newToken(signal: AbortSignal | undefined): Promise<string> {
    const { url, id, secret } = this.client;
    const server = this.bodyOf(await this.send(`${url}/auth/server`, {}, signal));
    const tokenUrl = tokenUrlOf(url, isObject(server) ? server["tokenURL"] : null);
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const issued = this.bodyOf(await this.send(tokenUrl, { method: "POST", body }, signal));
    const token = isObject(issued) ? issued["access_token"] : null;
    if (typeof token !== "string") throw new CommandFailure(`${harmless(tokenUrl)} answers no token`);
    return token;
  }

  private async send(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<VtnAnswer> {
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])];
    try {
      // The secret goes where the VTN's `/auth/server` says, and nowhere else: redirects are not followed.
      return await answerOf(await this.fetch(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) }));
    } catch (error) {
      signal?.throwIfAborted();
      throw new VtnAway(`no VTN answers at ${harmless(this.client.url)} (${reasonOf(error)})`);
    }
  }

  /** The body of a success. */
  private bodyOf({ status, isOk, body, retryAfterSeconds }: VtnAnswer): unknown {
    if (isOk && body !== undefined) return body;
    const words = isOk ? "what is no JSON" : harmless(wordsOf(body));
    // 404 is what a proxy says that has no VTN behind it, or of an address that is wrong.
    const isAway = isOk || status === 404 || status === 408 || status === 429 || status >= 500;
    const said = `${harmless(this.client.url)} responded with ${status}: ${words}`;
    if (!isAway) throw new CommandFailure(said, EXIT_REFUSED);
    throw new VtnAway(said, retryAfterSeconds);
  }

  private noAnswer(words: string): VtnAway {
    return new VtnAway(harmless(this.client.url + words));
  }
}

const isEvent = (body: unknown): body is VtnEvent =>
  isObject(body) && [body["id"], body["modificationDateTime"]].every((each) => typeof each === "string");

/** Where to get the token. A VTN with protected answers does not send the secret without protection. */
const tokenUrlOf = (vtnUrl: string, said: unknown): string => {
  const url = typeof said === "string" && URL.canParse(said) ? new URL(said) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new CommandFailure(`${vtnUrl} is not the address of a VTN of OpenADR 3.1`);
  if (url.protocol === "http:" && new URL(vtnUrl).protocol === "https:")
    throw new CommandFailure(
      `${vtnUrl} asks for the client's secret at ${harmless(url.origin)}, without TLS; its operator has to correct tokenURL`,
      EXIT_REFUSED,
    );
  return url.href;
};
