/** Bits of a length in each of its bytes; the highest bit tells that another follows. */
const LENGTH_BITS = 7;
const MAX_LENGTH_BYTES = 4;

/** Watches the bytes of a connection for packets of MQTT that are too long, before anybody collects them. */
export class PacketLimit {
  /** Bytes of the packet that are still to come; null: its length is being read. */
  private remaining: number | null = null;
  private length = 0;
  /** Of the fixed header; 0: the next byte begins a packet. */
  private headerBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** false: a packet is longer than allowed, or its length is none. */
  take(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.remaining !== null) {
        const skipped = Math.min(this.remaining, chunk.length - at);
        at += skipped;
        this.remaining -= skipped;
        if (this.remaining === 0) this.begin();
      } else if (!this.takeHeader(chunk[at++] ?? 0)) {
        return false;
      }
    }
    return true;
  }

  private begin(): void {
    this.remaining = null;
    this.length = 0;
    this.headerBytes = 0;
  }

  private takeHeader(byte: number): boolean {
    // The first byte is the type.
    if (this.headerBytes++ === 0) return true;
    this.length += (byte & 0x7f) * 2 ** (LENGTH_BITS * (this.headerBytes - 2));
    if (this.length > this.maxBytes) return false;
    if (byte > 0x7f) return this.headerBytes <= MAX_LENGTH_BYTES;
    this.remaining = this.length;
    if (this.remaining === 0) this.begin();
    return true;
  }
}
