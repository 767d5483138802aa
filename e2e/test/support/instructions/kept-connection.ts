import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { atEnd } from "@curtail/testing/at-end";

const HEAD_END = "\r\n\r\n";

/** Sends one request after the other: with several at once, the number that share a statement would differ. */
export class KeptConnection {
  private socket: Socket | undefined;
  private closed = new AbortController();

  constructor(private readonly url: string) {
    atEnd(async () => void this.socket?.destroy());
  }

  /** Returns the whole answer, which must be a success. */
  async ask(request: string): Promise<string> {
    const socket = await this.open();
    socket.write(request);
    let answer = "";
    while (answer.length < wholeLength(answer)) {
      const [chunk] = (await once(socket, "data", { signal: this.closed.signal })) as [Buffer];
      answer += chunk.toString("latin1");
    }
    if (!answer.startsWith("HTTP/1.1 20")) throw new Error(`a request was answered: ${answer}`);
    return answer;
  }

  /** The server closes a connection that was idle for seconds. */
  private async open(): Promise<Socket> {
    if (this.socket !== undefined && !this.closed.signal.aborted) return this.socket;
    const closed = new AbortController();
    const socket = connect(Number(new URL(this.url).port), "127.0.0.1").setNoDelay();
    socket.on("close", () => closed.abort());
    await once(socket, "connect");
    this.closed = closed;
    this.socket = socket;
    return socket;
  }
}

/** Length of the whole answer; infinite until its head is complete. */
const wholeLength = (answer: string): number => {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  return headEnd + HEAD_END.length + Number(/^content-length: (\d+)/im.exec(answer.slice(0, headEnd))?.[1] ?? 0);
};

/** @param line method and path */
export const requestText = (line: string, headers: Readonly<Record<string, string>>, body = ""): string => {
  const all = { host: "127.0.0.1", ...headers, ...(body !== "" && { "content-length": Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
};

/** The head of an answer, as `writeHead` takes it, without what node adds, and the body. */
export const partsOf = (answer: string): { readonly head: readonly string[]; readonly body: string } => {
  const [head = "", body = ""] = answer.split(HEAD_END);
  const pairs = head
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(": "));
  const own = pairs.filter(([name = ""]) => !["connection", "date", "keep-alive"].includes(name.toLowerCase()));
  return { head: own.map(([name = "", ...value]) => [name, value.join(": ")]).flat(), body };
};
