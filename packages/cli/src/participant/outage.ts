import type { Printer } from "../printer.js";
import type { Access } from "./access.js";
import { failureOf } from "./participant-failure.js";

/** Says once that the service is away, and once that it is back. */
export class Outage {
  private isAway = false;

  constructor(
    private readonly print: Printer,
    private readonly access: Access,
  ) {}

  /** @param meanwhile what is done about it */
  began(error: unknown, meanwhile: string): void {
    const reason = failureOf(error, this.access)?.message;
    if (!this.isAway && reason !== undefined) this.print.note(`curtail: ${reason}; ${meanwhile}`);
    this.isAway = true;
  }

  ended(): void {
    if (this.isAway) this.print.note("curtail: the service answers again");
    this.isAway = false;
  }
}
