/** Refused bodies of one address that are read on at a time, and of all addresses. */
const MOST_OF_ADDRESS = 16;
const MOST = 128;

/** Limits connections that stay open only because a refused body still arrives: each takes some 100 KB. */
export class ReadOnBudget {
  private readonly ofAddress = new Map<string, number>();
  private count = 0;

  /** Call the result when the body is no longer read; null: close the connection with the answer. */
  take(address: string): (() => void) | null {
    const own = this.ofAddress.get(address) ?? 0;
    if (own === MOST_OF_ADDRESS || this.count === MOST) return null;
    this.ofAddress.set(address, own + 1);
    this.count += 1;
    return () => this.release(address);
  }

  private release(address: string): void {
    const left = (this.ofAddress.get(address) ?? 0) - 1;
    if (left === 0) this.ofAddress.delete(address);
    else this.ofAddress.set(address, left);
    this.count -= 1;
  }
}
