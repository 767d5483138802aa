/** A reply as it is sent; of a stream, one chunk of it. */
export interface SentReply {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, number | string | readonly string[]>>;
  /** Of JSON and event streams; for anything else, only whether there is one. */
  readonly body: string;
}

export declare const watchReplies: (note: (reply: SentReply) => void) => void;
/** Test servers that stand in for another service, and may answer what Curtail must not. */
export declare const strangers: WeakSet<object>;
