import type { FastifyReply, FastifyRequest } from "fastify";
import { KEYLESS_BODY_BYTES } from "./body-limits.js";
import { placeOf } from "./client-place.js";
import { HttpError } from "./error-replies.js";
import { requestValue } from "./request-value.js";

/**
 * The most bodies that one address may be sending: small ones by their announced length, which come in bursts, and
 * others.
 */
const MAX_OPEN_SMALL_BODIES = 1000;
export const MAX_OPEN_BODIES = 64;
/** The most bytes of its bodies whose requests are not answered yet. */
export const MAX_OPEN_BYTES = 64 * 1024 * 1024;
/** The same for all addresses together, not counting the first 16 KB of each body: small ones are always accepted. */
export const MAX_HELD_BYTES = 256 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

interface Open {
  arriving: number;
  bytes: number;
  held: number;
}

/** A body, from its first byte until its request is answered. */
export interface HeldBody {
  /** Counts bytes that arrived; returns the error to answer if the address sends too many, else null. */
  add(bytes: number): HttpError | null;
  /** While it arrives, older bodies may need its room; `refused` gets the error to answer. */
  onRefused(refused: (refusal: HttpError) => void): void;
  /** Call when the body is complete. */
  arrived(): void;
}

/** Counts open bodies by address, so that nobody can fill the memory with many or with unfinished ones. */
export class OpenBodies {
  private readonly open = new Map<string, Open>();
  private readonly held = requestValue<HeldBody>();
  private readonly room = new Room();

  /** Counts the body of a request until its answer is sent or its connection ends. */
  hold(request: FastifyRequest, reply: FastifyReply): void {
    const isSmall = Number(request.headers["content-length"]) <= KEYLESS_BODY_BYTES;
    const sender = `${placeOf(request.ip)} ${isSmall}`;
    const open = this.open.get(sender) ?? { arriving: 0, bytes: 0, held: 0 };
    if (open.arriving >= (isSmall ? MAX_OPEN_SMALL_BODIES : MAX_OPEN_BODIES)) throw tooManyBodies;
    this.open.set(sender, open);
    open.held += 1;
    const body = new CountedBody(open, this.room);
    this.held.set(request, body);
    reply.raw.once("close", () => {
      body.end();
      open.held -= 1;
      if (open.held === 0) this.open.delete(sender);
    });
  }

  /** null if it arrived together with its headers, uncompressed: it is then no larger than a socket buffer. */
  heldOf(request: FastifyRequest): HeldBody | null {
    return this.held.get(request) ?? null;
  }
}

/** Memory for the large bodies of all addresses. */
class Room {
  private bytes = 0;
  /** In the order in which they became large. */
  private readonly arriving = new Set<CountedBody>();

  /** Makes room by refusing the newest body that is still arriving; false if that is `body` itself. */
  take(body: CountedBody, bytes: number): boolean {
    this.arriving.add(body);
    while (this.bytes + bytes > MAX_HELD_BYTES) {
      const newest = [...this.arriving].at(-1);
      if (newest === undefined || newest === body) return false;
      newest.refuse();
    }
    this.bytes += bytes;
    return true;
  }

  arrived(body: CountedBody): void {
    this.arriving.delete(body);
  }

  free(bytes: number): void {
    this.bytes -= bytes;
  }
}

class CountedBody implements HeldBody {
  private bytes = 0;
  private isArriving = true;
  private refused: (refusal: HttpError) => void = () => {};

  constructor(
    private readonly open: Open,
    private readonly room: Room,
  ) {
    open.arriving += 1;
  }

  add(bytes: number): HttpError | null {
    if (this.open.bytes + bytes > MAX_OPEN_BYTES) return tooManyBodies;
    const large = largeBytes(this.bytes + bytes) - largeBytes(this.bytes);
    if (large > 0 && !this.room.take(this, large)) return noRoom;
    this.bytes += bytes;
    this.open.bytes += bytes;
    return null;
  }

  onRefused(refused: (refusal: HttpError) => void): void {
    this.refused = refused;
  }

  /** Releases its bytes at once. */
  refuse(): void {
    this.end();
    this.refused(noRoom);
  }

  arrived(): void {
    if (this.isArriving) this.open.arriving -= 1;
    this.isArriving = false;
    this.room.arrived(this);
  }

  end(): void {
    this.arrived();
    this.room.free(largeBytes(this.bytes));
    this.open.bytes -= this.bytes;
    this.bytes = 0;
  }
}

const largeBytes = (bytes: number): number => Math.max(0, bytes - KEYLESS_BODY_BYTES);

const noRoom = new HttpError(
  429,
  `the service is busy receiving ${MAX_HELD_BYTES} bytes of bodies; wait ${RETRY_AFTER_SECONDS} seconds and send this one again`,
  RETRY_AFTER_SECONDS,
);

const tooManyBodies = new HttpError(
  429,
  `this address is sending more than ${MAX_OPEN_BODIES} bodies, or ${MAX_OPEN_BYTES} bytes, at the same time; ` +
    `wait ${RETRY_AFTER_SECONDS} seconds and send fewer at a time`,
  RETRY_AFTER_SECONDS,
);
