import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { allows, BASE_PATH, events, programs, type Scope, vens } from "@curtail/openadr-3";
import type { RateVerdict, RateWindows } from "../../access/domain/rate-limit.js";
import type { StoredObjectType } from "../../openadr-3/domain/stored-object.js";
import { type AnswersFromMemory, type NamedSearch, nameOf } from "../../openadr-3/operations/answers-from-memory.js";
import type { RefusedToken } from "../../openadr-3/operations/authenticate-client.js";
import type { Openadr3Caller } from "../../openadr-3/operations/caller.js";
import type { ObjectQuery } from "../../openadr-3/operations/object-query.js";
import { noteSearched, type ObjectReadPorts } from "../../openadr-3/operations/read-objects.js";
import type { SightedList } from "../../openadr-3/operations/ven-sight.js";
import type { Clock } from "../../platform/clock.js";
import { bearerOf } from "../../platform/http/bearer.js";
import { chosenEncoding, LEAST_COMPRESSED_BYTES } from "../../platform/http/compression.js";
import { repeated, SINGULAR } from "../../platform/http/singular-headers.js";
import { within } from "../../platform/within.js";
import { addLane, isPlainGet, type Lane, rateHeaders } from "./lane.js";

/** What polls of VENs are answered from. */
export interface Openadr3LanePorts extends Pick<ObjectReadPorts, "noteShown"> {
  /** Afterwards the memory, and what is remembered of clients, are as new as the call. */
  readonly catchUp: () => Promise<unknown>;
  readonly identify: (token: string) => Promise<Openadr3Caller | RefusedToken>;
  readonly answers: Pick<AnswersFromMemory, "searchNow">;
  readonly noteUsed: (clientId: string) => void;
  readonly clock: Clock;
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
  /** Requests per minute and client. */
  readonly rateLimit: number;
  /** The same windows that all other requests of clients are counted in. */
  readonly rates: RateWindows;
}

/** A search as the framework understood it. */
interface KnownSearch extends NamedSearch {
  readonly route: string;
  readonly scope: Scope;
}

const polled: Readonly<Partial<Record<StoredObjectType, Pick<typeof events.search, "path" | "scope">>>> = {
  EVENT: events.search,
  PROGRAM: programs.search,
  VEN: vens.search,
};

/** Addresses of searches. */
const MOST_KNOWN = 1000;
const MOST_CHARACTERS = 500;
/** Requests that take longer are left to the framework, which waits for the database once more. */
const PATIENCE_MS = 250;
const SINGULAR_NAMES = new Set(SINGULAR);

/**
 * Answers the searches of VENs from memory. An address is read by the framework once, which validates it; everything
 * unusual is left to it.
 */
export class Openadr3Lane implements Lane {
  private readonly known = new Map<string, KnownSearch>();
  private readonly head: readonly string[];

  constructor(
    headers: Readonly<Record<string, string>>,
    private readonly ports: Openadr3LanePorts,
  ) {
    this.head = Object.entries(headers).flat();
  }

  addTo(server: Server): void {
    addLane(server, this);
  }

  /** Call with searches that the framework has validated, and read as they were written. */
  note(url: string, type: StoredObjectType, query: ObjectQuery): void {
    const endpoint = polled[type];
    if (endpoint === undefined || url.length > MOST_CHARACTERS || this.known.has(url)) return;
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    const { path, scope } = endpoint;
    if (scope !== null) this.known.set(url, { type, query, name: nameOf(type, query), route: BASE_PATH + path, scope });
  }

  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    const search = this.known.get(request.url ?? "");
    if (search === undefined || !isPlainGet(request) || repeated(request.rawHeaders, SINGULAR_NAMES) !== null)
      return null;
    const token = bearerOf(request);
    return token === null ? null : this.answerToken(token, search, { request, response });
  }

  private async answerToken(
    token: string,
    search: KnownSearch,
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  ): Promise<boolean> {
    const startedMs = performance.now();
    const found = await within(this.found(token, search), PATIENCE_MS, () => null).catch(() => null);
    if (found === null) return false;
    const { caller, list } = found;
    const isLarge = list.bytes >= LEAST_COMPRESSED_BYTES;
    if (isLarge && chosenEncoding(request.headers["accept-encoding"]) !== null) return false;
    const { rates, rateLimit, clock, noteUsed, observe } = this.ports;
    const rate = rates.count(caller.client.id, rateLimit, clock.now().getTime());
    if (!rate.allowed) return false;
    noteUsed(caller.client.id);
    this.send(response, { list, rate, isLarge });
    observe(search.route, "GET", 200, (performance.now() - startedMs) / 1000);
    return true;
  }

  /** What is shown is noted before it is sent. */
  private async found(
    token: string,
    search: KnownSearch,
  ): Promise<{ caller: Openadr3Caller; list: SightedList } | null> {
    await this.ports.catchUp();
    const caller = await this.ports.identify(token);
    if ("refused" in caller || !allows(caller.scopes, search.scope)) return null;
    const list = await this.ports.answers.searchNow(caller, search);
    if (list === null) return null;
    await noteSearched(this.ports, caller, { ...search, ...list });
    return { caller, list };
  }

  private send(
    response: ServerResponse,
    { list, rate, isLarge }: { readonly list: SightedList; readonly rate: RateVerdict; readonly isLarge: boolean },
  ): void {
    // A flat list of names and values, and a text as body: Node then sends both in one piece.
    response.writeHead(200, [
      ...this.head,
      ...rateHeaders(rate),
      "content-type",
      "application/json; charset=utf-8",
      ...(isLarge ? ["vary", "accept-encoding"] : []),
      "content-length",
      `${list.bytes}`,
    ]);
    response.end(list.json);
  }
}
