import type { FastifyReply, FastifyRequest } from "fastify";
import { KEYLESS_BODY_BYTES } from "./body-limits.js";
import { placeOf } from "./client-place.js";
import { HttpError } from "./error-replies.js";

/** The most bodies that one address may be sending: those announced as small, which a burst of clients sends, and others. */
const MAX_OPEN_SMALL_BODIES = 1000;
export const MAX_OPEN_BODIES = 64;
/** The most bytes of its bodies that are not yet answered. */
export const MAX_OPEN_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

interface Open {
  arriving: number;
  bytes: number;
  held: number;
}

/** A body from its first byte until its request is answered. */
export interface HeldBody {
  /** Counts bytes that arrived; what is to be answered where its address sends too many, else null. */
  add(bytes: number): HttpError | null;
  /** All of it is there. */
  arrived(): void;
}

/** Bodies under way by address, so that nobody fills the memory with many of them, or with halves. */
export class OpenBodies {
  private readonly open = new Map<string, Open>();
  private readonly held = new WeakMap<FastifyRequest, HeldBody>();

  /** Counts the body of a request until its answer is sent or its connection ends. */
  hold(request: FastifyRequest, reply: FastifyReply): void {
    const isSmall = Number(request.headers["content-length"]) <= KEYLESS_BODY_BYTES;
    const sender = `${placeOf(request.ip)} ${isSmall}`;
    const open = this.open.get(sender) ?? { arriving: 0, bytes: 0, held: 0 };
    if (open.arriving >= (isSmall ? MAX_OPEN_SMALL_BODIES : MAX_OPEN_BODIES)) throw tooManyBodies;
    this.open.set(sender, open);
    open.held += 1;
    const body = new CountedBody(open);
    this.held.set(request, body);
    reply.raw.once("close", () => {
      body.end();
      open.held -= 1;
      if (open.held === 0) this.open.delete(sender);
    });
  }

  /** null for what arrived together with its headers: that is no larger than a buffer of the socket. */
  heldOf(request: FastifyRequest): HeldBody | null {
    return this.held.get(request) ?? null;
  }
}

class CountedBody implements HeldBody {
  private bytes = 0;
  private isArriving = true;

  constructor(private readonly open: Open) {
    open.arriving += 1;
  }

  add(bytes: number): HttpError | null {
    if (this.open.bytes + bytes > MAX_OPEN_BYTES) return tooManyBodies;
    this.bytes += bytes;
    this.open.bytes += bytes;
    return null;
  }

  arrived(): void {
    if (this.isArriving) this.open.arriving -= 1;
    this.isArriving = false;
  }

  end(): void {
    this.arrived();
    this.open.bytes -= this.bytes;
  }
}

const tooManyBodies = new HttpError(
  429,
  `this address sends more than ${MAX_OPEN_BODIES} bodies, or ${MAX_OPEN_BYTES} bytes of them, at once; ` +
    `wait ${RETRY_AFTER_SECONDS} seconds and send fewer at a time`,
  RETRY_AFTER_SECONDS,
);
