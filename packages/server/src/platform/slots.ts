/** Limits concurrent work; the others wait in order. */
export class Slots {
  private readonly waiting: Array<() => void> = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resume) => this.waiting.push(resume));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Passed on directly, so that no newcomer takes it first.
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
