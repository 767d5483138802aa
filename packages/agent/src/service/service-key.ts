import type { ServiceConfig } from "../config/config.js";
import { messageOf } from "../devices/device.js";

/** However often the service refuses, the file is not read more often. */
const LEAST_BETWEEN_READS_MS = 1_000;
/** A reload that found no key is repeated so often, and a key that was refused is tried again so often. */
const [RELOAD_AGAIN_MS, TRY_AGAIN_MS] = [5_000, 60_000];
const MOST_REFUSED = 10;
/** What a header may carry; a file of something else is no key. */
const KEY = /^[\x21-\x7e]{1,1000}$/;

/**
 * The API key of the agent. If it comes from a file, the file is read again when the service answers 401, and the request
 * is sent once more with what the file has then. The key before is used as long as the file has none, or one that the
 * service refuses.
 */
export class ServiceKey {
  /** Why the key of the file is not used; null: it is. */
  fault: string | null = null;
  private key: string;
  /** The last one that the service took. */
  private taken: string | null = null;
  /** Keys that the service refused, and when. */
  private readonly refused = new Map<string, number>();
  private readAtMs = Number.NEGATIVE_INFINITY;
  private isReloading = false;
  private changing = new AbortController();

  /** @param monotonic milliseconds of a clock that does not jump */
  constructor(
    private readonly service: ServiceConfig,
    private readonly monotonic: () => number,
  ) {
    this.key = service.key;
  }

  /** Settings for clients of the service that always send the key of the moment. */
  get access() {
    const { url, key, keyHeader } = this.service;
    return { url, key, keyHeader, fetch: this.fetch };
  }

  /** Aborted when the key changes: long responses began with the one before. */
  get changed(): AbortSignal {
    return this.changing.signal;
  }

  /** Reads the file again now. Returns false if the key is in no file. */
  reload(): boolean {
    if (this.service.keyFile === null) return false;
    const written = this.read();
    this.isReloading = written === null;
    if (written !== null) this.use(written);
    return true;
  }

  private readonly fetch: typeof fetch = async (input, init) => {
    if (this.isReloading && this.monotonic() - this.readAtMs >= RELOAD_AGAIN_MS) this.reload();
    const used = this.key;
    const response = await this.send(used, input, init);
    if (response.status !== 401) {
      if (used === this.key) this.taken = used;
      return response;
    }
    if (this.service.keyFile === null) return response;
    return await this.again(used, response, (key) => this.send(key, input, init));
  };

  /** Sends a request that was refused with other keys, one after the other. */
  private async again(used: string, refusal: Response, send: (key: string) => Promise<Response>): Promise<Response> {
    // Another request may have found the key meanwhile.
    const isFound = this.key !== used;
    let response = refusal;
    for (const other of isFound ? [this.key] : this.others(used)) {
      await response.body?.cancel();
      response = await send(other);
      const isTaken = response.status !== 401;
      if (!isFound) this.learn(used, other, isTaken);
      if (isTaken) break;
    }
    return response;
  }

  private send(key: string, input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Response> {
    const headers = new Headers(init?.headers);
    headers.set(this.service.keyHeader, key);
    return fetch(input, { ...init, headers });
  }

  /** What the file has now, and what the service took before: the file may have a key that it does not know yet. */
  private others(used: string): readonly string[] {
    const isDue = this.monotonic() - this.readAtMs >= LEAST_BETWEEN_READS_MS;
    const others = new Set([isDue ? this.read() : null, this.taken]);
    return [...others].filter((key) => key !== null && key !== used && !this.wasRefused(key)).map(String);
  }

  private wasRefused(key: string): boolean {
    return this.monotonic() - (this.refused.get(key) ?? Number.NEGATIVE_INFINITY) < TRY_AGAIN_MS;
  }

  private learn(used: string, other: string, isTaken: boolean): void {
    if (!isTaken) return this.refuse(other);
    if (other === this.taken) this.refuse(used);
    else this.fault = null;
    this.use(other);
    this.taken = other;
  }

  private refuse(key: string): void {
    if (this.refused.size >= MOST_REFUSED) this.refused.clear();
    this.refused.set(key, this.monotonic());
    this.fault = `the service refuses the key in ${this.service.keyFile?.path}`;
  }

  private use(key: string): void {
    if (key === this.key) return;
    this.key = key;
    this.changing.abort();
    this.changing = new AbortController();
  }

  /** The key in the file; null with a fault if it has none at the moment, as while it is written. */
  private read(): string | null {
    const { keyFile } = this.service;
    if (keyFile === null) return null;
    this.readAtMs = this.monotonic();
    try {
      const text = keyFile.read().trim();
      if (KEY.test(text)) {
        if (!this.wasRefused(text)) this.fault = null;
        return text;
      }
      this.fault = `${keyFile.path} ${text === "" ? "is empty" : "holds more than a key"}; the key before is used`;
    } catch (error) {
      this.fault = `${keyFile.path} cannot be read; the key before is used: ${messageOf(error)}`;
    }
    return null;
  }
}
