import type { FastifyReply, FastifyRequest } from "fastify";
import { HttpError } from "./error-replies.js";

/** The most bodies that one address may be sending, and the most bytes of bodies not yet answered. */
export const MAX_OPEN_BODIES = 64;
export const MAX_OPEN_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

interface Open {
  arriving: number;
  bytes: number;
  held: number;
}

/** A body from its first byte until its request is answered. */
export interface HeldBody {
  /** Counts bytes that arrived; throws what is to be answered where its address sends too many. */
  add(bytes: number): void;
  /** All of it is there. */
  arrived(): void;
}

/** Bodies under way by address, so that nobody fills the memory with many of them, or with halves. */
export class OpenBodies {
  private readonly open = new Map<string, Open>();
  private readonly held = new WeakMap<FastifyRequest, HeldBody>();

  /** Counts the body of a request until its answer is sent or its connection ends. */
  hold(request: FastifyRequest, reply: FastifyReply): void {
    const open = this.openOf(request.ip);
    if (open.arriving >= MAX_OPEN_BODIES) throw tooManyBodies;
    let [bytes, arriving] = [0, 1];
    const arrived = (): void => {
      open.arriving -= arriving;
      arriving = 0;
    };
    open.arriving += 1;
    open.held += 1;
    this.held.set(request, {
      add(more) {
        if (open.bytes + more > MAX_OPEN_BYTES) throw tooManyBodies;
        bytes += more;
        open.bytes += more;
      },
      arrived,
    });
    reply.raw.once("close", () => {
      arrived();
      open.bytes -= bytes;
      open.held -= 1;
      if (open.held === 0) this.open.delete(request.ip);
    });
  }

  /** null for what arrived together with its headers: that is no larger than a buffer of the socket. */
  heldOf(request: FastifyRequest): HeldBody | null {
    return this.held.get(request) ?? null;
  }

  private openOf(address: string): Open {
    const open = this.open.get(address) ?? { arriving: 0, bytes: 0, held: 0 };
    this.open.set(address, open);
    return open;
  }
}

const tooManyBodies = new HttpError(
  429,
  `this address sends more than ${MAX_OPEN_BODIES} bodies, or ${MAX_OPEN_BYTES} bytes of them, at once; ` +
    `wait ${RETRY_AFTER_SECONDS} seconds and send fewer at a time`,
  RETRY_AFTER_SECONDS,
);
