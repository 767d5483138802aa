/** Reads exact lengths from pieces of any size, and keeps no more than it was asked for and one piece. */
export class ByteSource {
  private readonly pieces: AsyncIterator<Uint8Array>;
  private kept: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** Fewer bytes than asked for if the source ends. */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      if (this.kept.length === 0 && !(await this.fill())) break;
      const part = this.kept.subarray(0, missing);
      this.kept = this.kept.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  /** Call when the rest is not wanted. */
  async close(): Promise<void> {
    await this.pieces.return?.();
  }

  private async fill(): Promise<boolean> {
    const { done, value } = await this.pieces.next();
    if (done === true) return false;
    this.kept = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return true;
  }
}
