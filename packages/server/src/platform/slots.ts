import { once } from "./once.js";

/** Limits concurrent work; the others wait in order. */
export class Slots {
  private readonly waiting: Array<() => void> = [];

  /** @param placeMs work that takes longer continues but frees its place for the next; absent: it keeps its place */
  constructor(
    private free: number,
    private readonly placeMs?: number,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resume) => this.waiting.push(resume));
    const leave = once(() => this.passOn());
    const timer = this.placeMs === undefined ? undefined : setTimeout(leave, this.placeMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  /** Directly, so that no newcomer takes the place first. */
  private passOn(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
