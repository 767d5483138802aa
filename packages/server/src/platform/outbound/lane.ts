/** Lets so many begin at a time; the others wait in their order. */
export class Lane {
  private running = 0;
  private readonly waiting: Array<() => void> = [];

  constructor(
    private readonly most: number,
    /** What takes longer leaves its place to the next, and goes on. */
    private readonly placeMs: number,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.most) await new Promise<void>((go) => this.waiting.push(go));
    else this.running += 1;
    let holdsPlace = true;
    const leave = (): void => {
      if (holdsPlace) this.passOn();
      holdsPlace = false;
    };
    const timer = setTimeout(leave, this.placeMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  private passOn(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
