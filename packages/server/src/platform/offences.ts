import { invalid, type Refusal } from "./refusal.js";

const MAX_SHOWN = 20;

/** Collects the faults of an upload; the first 20 places are listed (G6). */
export class Offences {
  private readonly shown: string[] = [];
  private count = 0;

  /** @param message asked for only if it is listed: an upload may have 50,000 faults */
  add(message: () => string): void {
    this.count += 1;
    if (this.shown.length < MAX_SHOWN) this.shown.push(message());
  }

  refusal(): Refusal | null {
    if (this.count === 0) return null;
    const hidden = this.count - this.shown.length;
    const more = hidden === 0 ? "" : `; and ${hidden} more`;
    return invalid(`${this.shown.join("; ")}${more}. Nothing was stored; correct the upload and send all of it again.`);
  }
}
