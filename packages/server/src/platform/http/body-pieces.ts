/** Chunks of a body that are kept as they are, however short. */
const FIRST = 256;
const LARGE_BYTES = 16_384;
const PIECE_BYTES = 65_536;

/** Collects a body. Short chunks are joined: each is an object, and a body may arrive in chunks of a byte. */
export class BodyPieces {
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
