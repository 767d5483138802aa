import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { BASE_PATHS, listDispatches } from "@curtail/contract";
import type { RateVerdict, RateWindows } from "../../access/domain/rate-limit.js";
import { shownRoute } from "../../access/domain/request-log.js";
import { countPoll } from "../../access/http/api-key-check.js";
import type { KeyMemory } from "../../access/http/key-memory.js";
import type { Caller, KeyCaller } from "../../access/operations/caller.js";
import type { AnsweredRequest } from "../../access/operations/log-requests.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { ListAnswer, ListMemory } from "../../dispatch/http/list-memory.js";
import type { Clock } from "../../platform/clock.js";
import { LEAST_COMPRESSED_BYTES } from "../../platform/http/compression.js";
import { isKnown, revalidated } from "../../platform/http/entity-tag.js";
import type { ReadStamps } from "../../platform/stamps.js";
import { within } from "../../platform/within.js";
import { addLane, isPlainGet, type Lane, rateHeaders } from "./lane.js";

/** What polls are answered from. */
export interface PollPorts {
  readonly readStamps: ReadStamps;
  readonly keys: Pick<KeyMemory, "known" | "lookUp">;
  readonly lists: Pick<ListMemory, "known" | "find">;
  /** Records what an account is about to see; never throws. null: it was recorded before. */
  readonly recordPoll: (caller: Caller, dispatches: readonly Dispatch[]) => Promise<void> | null;
  readonly clock: Clock;
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
  readonly noteRequest: (request: AnsweredRequest) => void;
}

export interface LaneSettings {
  readonly keyHeader: string;
  readonly rateLimitDispatches: number;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

interface LanePorts extends PollPorts {
  /** The same windows that all other requests by key are counted in. */
  readonly rates: RateWindows;
}

const ROUTE = `${BASE_PATHS.participant}${listDispatches.path}`;

/** An answer, and who gets it. */
interface Polled {
  readonly caller: KeyCaller;
  readonly list: ListAnswer;
  readonly rate: RateVerdict;
}

/**
 * Answers GET /dispatches ahead of the framework, which takes twice as long as the answer itself. Everything unusual
 * goes to the framework, which answers alike: keys not seen before, keys over their limit, large answers, failures.
 */
export const addPollLane = (server: Server, settings: LaneSettings, ports: LanePorts): void => {
  addLane(server, new PollLane(settings, ports));
};

/** Requests that take longer are left to the framework, which waits for the database once more. */
const PATIENCE_MS = 250;

const soon = <T>(found: Promise<T>): Promise<T | undefined> => within(found, PATIENCE_MS, () => undefined);

class PollLane implements Lane {
  private readonly keyHeader: string;
  private readonly head: readonly string[];
  private readonly shown = shownRoute(ROUTE);

  constructor(
    private readonly settings: LaneSettings,
    private readonly ports: LanePorts,
  ) {
    this.keyHeader = settings.keyHeader.toLowerCase();
    this.head = Object.entries({ ...settings.headers, ...revalidated(settings.keyHeader) }).flat();
  }

  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    if (request.url !== ROUTE || !isPlainGet(request)) return null;
    const key = request.headers[this.keyHeader];
    return typeof key === "string" ? this.answerKey(key, request.headers["if-none-match"], response) : null;
  }

  private async answerKey(apiKey: string, ifNoneMatch: string | undefined, response: ServerResponse): Promise<boolean> {
    const startedMs = performance.now();
    const polled = await this.polled(apiKey).catch(() => null);
    if (polled === null) return false;
    const status = isKnown(polled.list.tag, ifNoneMatch) ? 304 : 200;
    this.send(response, status, polled);
    this.note(polled, status, performance.now() - startedMs);
    return true;
  }

  private async polled(apiKey: string): Promise<Polled | null> {
    const { keys, lists, rates, clock, recordPoll } = this.ports;
    const stamps = await this.ports.readStamps();
    const caller = keys.known(apiKey, stamps.access) ?? (await soon(keys.lookUp(apiKey, stamps.access)));
    if (caller === undefined) return null;
    const { accountId } = caller;
    const list = lists.known(accountId, stamps.dispatches) ?? (await soon(lists.find(accountId, stamps.dispatches)));
    if (list === undefined || list.body.length >= LEAST_COMPRESSED_BYTES) return null;
    const rate = countPoll(rates, caller.keyId, this.settings.rateLimitDispatches, clock.now());
    if (!rate.allowed) return null;
    const recording = recordPoll(caller, list.dispatches);
    if (recording !== null) await recording;
    return { caller, list, rate };
  }

  private send(response: ServerResponse, status: 200 | 304, { list, rate }: Polled): void {
    // A flat list of names and values, and a text as body: Node then sends both in one piece.
    response.writeHead(status, [
      ...this.head,
      "etag",
      list.tag,
      ...rateHeaders(rate),
      ...(status === 304 ? [] : ["content-type", "application/json; charset=utf-8", "content-length", list.bytes]),
    ]);
    response.end(status === 304 ? undefined : list.body);
  }

  private note({ caller: { accountId, keyId, environment } }: Polled, status: number, durationMs: number): void {
    const method = "GET";
    this.ports.observe(ROUTE, method, status, durationMs / 1000);
    const request = { accountId, keyId, environment, method, route: this.shown, status, durationMs };
    this.ports.noteRequest({ ...request, path: () => ROUTE, message: null });
  }
}
