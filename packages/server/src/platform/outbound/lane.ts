/** Lets a limited number of tasks start at a time; the others wait in order. */
export class Lane {
  private running = 0;
  private readonly waiting: Array<() => void> = [];

  constructor(
    private readonly most: number,
    /** A task that takes longer continues but frees its place for the next. */
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
