import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { bodyLimitOf } from "./body-limits.js";
import { BodyPace } from "./body-pace.js";
import { HttpError } from "./error-replies.js";
import { isGzip, unpacked } from "./gzip-body.js";
import type { HeldBody, OpenBodies } from "./open-bodies.js";

/** Takes a fraction of a millisecond per turn of the event loop. */
const pace = new BodyPace(131_072, setImmediate);

/** The body of a request, up to the limit of its route, which also holds for what a compressed one unpacks to. */
export const receiveBody = async (request: FastifyRequest, bodies: OpenBodies): Promise<Buffer> => {
  const body = Buffer.concat(await receivePieces(request, bodies));
  return withoutMark(isGzip(request) ? await unpacked(body, bodyLimitOf(request), bodies.heldOf(request)) : body);
};

/** The same in pieces, as it was sent: joining a very large one takes longer than others should wait. */
export const receivePieces = async (request: FastifyRequest, bodies: OpenBodies): Promise<Buffer[]> => {
  const { raw, headers } = request;
  const limitBytes = bodyLimitOf(request);
  if (Number(headers["content-length"]) > limitBytes) throw tooLarge(limitBytes);
  const held = bodies.heldOf(request);
  const pieces = await received(raw, limitBytes, held);
  held?.arrived();
  return pieces;
};

/** Some systems begin every text with it (G56). */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const withoutMark = (body: Buffer): Buffer =>
  body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? body.subarray(BYTE_ORDER_MARK.length) : body;

export const tooLarge = (limitBytes: number): HttpError =>
  new HttpError(400, `the body is larger than ${limitBytes} bytes, the maximum for this request; send less at a time`);

const received = (raw: IncomingMessage, limitBytes: number, held: HeldBody | null): Promise<Buffer[]> =>
  new Promise((resolve, reject) => {
    const pieces = new BodyPieces();
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      const refusal = length > limitBytes ? tooLarge(limitBytes) : (held?.add(chunk.length) ?? null);
      if (refusal !== null) {
        end(() => reject(refusal));
        return;
      }
      pieces.add(chunk);
      pace.took(raw, chunk.length);
    };
    const onEnd = (): void => end(() => resolve(pieces.take()));
    const onBroken = (): void => end(() => reject(brokenOff));
    const end = (settle: () => void): void => {
      raw.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
      pace.leave(raw);
      settle();
      // The counter of the body keeps this function until the response is sent.
      pieces.take();
    };
    held?.onRefused((refusal) => end(() => reject(refusal)));
    raw.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });

const brokenOff = new HttpError(400, "the body was interrupted; send the request again");

/** Chunks of a body that are kept as they are, however short. */
const FIRST = 256;
const LARGE_BYTES = 16_384;
const PIECE_BYTES = 65_536;

/** Collects a body. Short chunks are joined: each is an object, and a body may arrive in chunks of a byte. */
class BodyPieces {
  private pieces: Buffer[] = [];
  private joined = Buffer.alloc(0);
  private used = 0;

  add(chunk: Buffer): void {
    if (this.used + chunk.length > this.joined.length) this.endJoined();
    if (chunk.length >= LARGE_BYTES || this.pieces.length < FIRST) this.pieces.push(chunk);
    else this.join(chunk);
  }

  /** All of it, in order; nothing is kept. */
  take(): Buffer[] {
    this.endJoined();
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }

  private join(chunk: Buffer): void {
    if (this.used === 0) this.joined = Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.used += chunk.copy(this.joined, this.used);
  }

  private endJoined(): void {
    if (this.used > 0) this.pieces.push(this.joined.subarray(0, this.used));
    this.joined = Buffer.alloc(0);
    this.used = 0;
  }
}
