/** Lets at most so many through in a period, which begins with the first of them. */
export class Allowance {
  private beganMs = Number.NEGATIVE_INFINITY;
  private used = 0;

  constructor(
    private readonly most: number,
    private readonly periodMs: number,
  ) {}

  /** Whether one more may pass. */
  take(nowMs: number): boolean {
    if (nowMs - this.beganMs >= this.periodMs) [this.beganMs, this.used] = [nowMs, 0];
    this.used += 1;
    return this.used <= this.most;
  }
}
