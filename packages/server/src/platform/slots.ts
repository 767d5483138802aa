/** Lets so many work at once; the others wait, in the order in which they came. */
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
      // Handed on, so that nobody who comes meanwhile gets it first.
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
