import { type Result, tooMany } from "../refusal.js";
import { AnswerBudget } from "./answer-budget.js";

/** Costly work of which each caller has one piece under way; what it asks for meanwhile waits in order. */
export class CallerTurns {
  private readonly budget = new AnswerBudget(Number.POSITIVE_INFINITY, 1);

  /** The answer to a caller that has too many waiting requests, or one that waits too long, and after how many seconds to retry. */
  constructor(private readonly refused: { readonly because: string; readonly laterSeconds: number }) {}

  /** Runs the work once nothing else of the caller is under way. */
  async run<T>(caller: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const release = await this.budget.take(caller, 1);
    if (release === null) return tooMany(this.refused.because, this.refused.laterSeconds);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
