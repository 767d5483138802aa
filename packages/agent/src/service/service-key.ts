import type { ServiceConfig } from "../config/config.js";
import { isApiKey } from "../config/secret.js";
import { messageOf } from "../devices/device.js";

/** However often the service refuses, the file is not read more often. */
const LEAST_BETWEEN_READS_MS = 1_000;
/** While its key is not used, the file is read again so often, and a key that was refused is tried again so often. */
const [READ_AGAIN_MS, TRY_AGAIN_MS] = [5_000, 60_000];
const MOST_REFUSED = 10;
/** Clients have this in place of a key. It is replaced by the present key, and errors may quote it. */
const PLACEHOLDER = "key-of-the-moment";

/**
 * The API key of the agent. If it comes from a file, the file is read again when the service answers 401, and the request
 * is sent once more with what the file has then. The key before is used as long as the file has none, or one that the
 * service refuses.
 */
export class ServiceKey {
  /** Why the key of the file is not used; null: it is. */
  fault: string | null = null;
  private key: string;
  /** The last one that the service took; the one of the start before that. */
  private taken: string;
  /** The key that the file had when it was read; null: it had none. */
  private written: string | null;
  /** Keys that the service refused, and when. */
  private readonly refused = new Map<string, number>();
  private readAtMs = Number.NEGATIVE_INFINITY;
  private changing = new AbortController();

  /** @param monotonic milliseconds of a clock that does not jump */
  constructor(
    private readonly service: ServiceConfig,
    private readonly monotonic: () => number,
  ) {
    this.key = service.key;
    this.taken = service.key;
    this.written = service.key;
  }

  /** Settings for clients of the service that always send the key of the moment. */
  get access() {
    const { url, keyHeader } = this.service;
    return { url, key: PLACEHOLDER, keyHeader, fetch: this.fetch };
  }

  /** Aborted when the key changes: long responses began with the one before. */
  get changed(): AbortSignal {
    return this.changing.signal;
  }

  /** Reads the file again now. Returns false if the key is in no file. */
  reload(): boolean {
    if (this.service.keyFile === null) return false;
    const written = this.read();
    if (written !== null) this.use(written);
    return true;
  }

  private readonly fetch: typeof fetch = async (input, init) => {
    const send = (key: string): Promise<Response> => this.send(key, input, init);
    const corrected = this.corrected();
    if (corrected !== null) {
      const response = await send(corrected);
      this.learn(corrected, response);
      if (response.status !== 401) return response;
      await response.body?.cancel();
    }
    const used = this.key;
    const response = await send(used);
    if (response.ok && used === this.key) this.take(used);
    if (response.status !== 401 || this.service.keyFile === null) return response;
    return await this.again(used, response, send);
  };

  /** The key of the file, where one that is not used may have been corrected: the service may take the one before for ever. */
  private corrected(): string | null {
    if (this.written === this.key || this.monotonic() - this.readAtMs < READ_AGAIN_MS) return null;
    const written = this.read();
    return written === null || written === this.key || this.wasRefused(written) ? null : written;
  }

  /** Sends a request that was refused with other keys, one after the other. */
  private async again(used: string, refusal: Response, send: (key: string) => Promise<Response>): Promise<Response> {
    // Another request may have found the key meanwhile.
    const isFound = this.key !== used;
    let response = refusal;
    for (const other of isFound ? [this.key] : this.others(used)) {
      await response.body?.cancel();
      response = await send(other);
      if (response.ok && !isFound) this.refuse(used);
      if (!isFound) this.learn(other, response);
      if (response.status !== 401) break;
    }
    return response;
  }

  private send(key: string, input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Response> {
    const headers = new Headers(init?.headers);
    headers.set(this.service.keyHeader, key);
    return fetch(input, { ...init, headers });
  }

  /** The key in the file, and the one that the service accepted before: the service may not know the key in the file yet. */
  private others(used: string): readonly string[] {
    const isDue = this.monotonic() - this.readAtMs >= LEAST_BETWEEN_READS_MS;
    const others = new Set([isDue ? this.read() : null, this.taken]);
    return [...others].filter((key) => key !== null && key !== used && !this.wasRefused(key)).map(String);
  }

  private get refusal(): string {
    return `the service refuses the key in ${this.service.keyFile?.path}`;
  }

  private wasRefused(key: string): boolean {
    return this.monotonic() - (this.refused.get(key) ?? Number.NEGATIVE_INFINITY) < TRY_AGAIN_MS;
  }

  /**
   * What an answer says of a key. Only a success shows that the service took it: a proxy before a service that is away
   * answers every key alike.
   */
  private learn(key: string, { ok, status }: Response): void {
    if (status === 401) return this.refuse(key);
    if (!ok) return;
    this.use(key);
    this.take(key);
  }

  private take(key: string): void {
    this.taken = key;
    this.refused.delete(key);
    if (key === this.written) this.fault = null;
  }

  private refuse(key: string): void {
    if (this.refused.size >= MOST_REFUSED) this.refused.clear();
    this.refused.set(key, this.monotonic());
    if (key === this.written) this.fault = this.refusal;
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
    this.written = null;
    try {
      const text = keyFile.read().trim();
      if (isApiKey(text)) {
        this.written = text;
        // Of one that was refused before, the service has to say that it takes it now.
        this.fault = this.refused.has(text) ? this.refusal : null;
        return text;
      }
      this.fault = `${keyFile.path} ${text === "" ? "is empty" : "holds more than a key"}; the key before is used`;
    } catch (error) {
      this.fault = `${keyFile.path} cannot be read; the key before is used: ${messageOf(error)}`;
    }
    return null;
  }
}
