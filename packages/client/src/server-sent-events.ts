export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
}

/** What is kept of a stream from one connection to the next. */
export interface StreamPlace {
  /** Id of the last complete event, from which a connection continues; "" if there is none. */
  lastEventId: string;
  /** How long the sender asks readers to wait before they connect again, in milliseconds. */
  retryMs: number;
}

/**
 * Reads the server-sent events of one connection (HTML Living Standard, section 9.2.6; lines end with LF or CRLF). An
 * event that is incomplete at the end is left out.
 *
 * @param pieces of the text, as they arrive
 */
export async function* serverSentEvents(
  pieces: AsyncIterable<string>,
  place: StreamPlace,
): AsyncGenerator<ServerSentEvent, void> {
  let [rest, id, type, data] = ["", place.lastEventId, "", [] as string[]];
  for await (const piece of pieces) {
    const lines = piece.split("\n");
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, name, value = ""] = /^([^:\r]*)(?:: ?(.*?))?\r?$/.exec(line) ?? [];
      if (name === "event") type = value;
      else if (name === "data") data.push(value);
      else if (name === "id") id = value;
      else if (name === "retry") place.retryMs = Number.parseInt(value, 10) || place.retryMs;
      else if (name === "" && !line.startsWith(":")) {
        place.lastEventId = id;
        if (data.length > 0) yield { type, data: data.join("\n") };
        [type, data] = ["", []];
      }
    }
  }
}
