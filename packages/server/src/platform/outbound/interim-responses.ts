import type { Socket } from "node:net";

const [CR, LF] = [13, 10];
const HEAD_END = [CR, LF, CR, LF];
/** Of the status within "HTTP/1.1 100". */
const STATUS_AT = 9;
const THREE = "3".charCodeAt(0);

/**
 * undici fails on a `100 Continue` that was not requested, though a client must read past it (RFC 9110, 15.2). It reads
 * past a 103, so each 100 is handed to it as a 103.
 */
export class InterimResponses {
  private isInHead = false;
  private position = 0;
  private status = "";
  private matched = 0;

  constructor(socket: Socket) {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      const chunk: unknown = read(size);
      return Buffer.isBuffer(chunk) ? this.pass(chunk) : chunk;
    };
  }

  /** Call when a request is about to be written: the next bytes begin its response. */
  expect(): void {
    this.isInHead = true;
    this.beginHead();
  }

  private pass(chunk: Buffer): Buffer {
    for (let index = 0; index < chunk.length && this.isInHead; index++) chunk[index] = this.next(chunk[index] ?? 0);
    return chunk;
  }

  private next(byte: number): number {
    const at = this.position++ - STATUS_AT;
    if (at >= 0 && at < 3) this.status += String.fromCharCode(byte);
    if (at === 2 && !this.status.startsWith("1")) this.isInHead = false;
    this.matched = byte === HEAD_END[this.matched] ? this.matched + 1 : Number(byte === CR);
    if (this.matched === HEAD_END.length) this.beginHead();
    return at === 2 && this.status === "100" ? THREE : byte;
  }

  private beginHead(): void {
    this.position = 0;
    this.status = "";
    this.matched = 0;
  }
}
