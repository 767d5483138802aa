import type { DemoPorts } from "./switch-demo.js";

/** Deletes what a demo leaves, part by part; each may be repeated. */
export interface DemoRemains {
  /** Number of parts, in an order that respects references. */
  readonly parts: number;
  /** Deletes some rows of a part; returns whether none is left. */
  deleteSome(part: number): Promise<boolean>;
  /** Deletes what came meanwhile and the demo itself, all or nothing. */
  deleteRest(): Promise<void>;
}

/** Removes a demo step by step. A process that starts again goes through all parts, most of which are empty. */
export class Removing {
  private part = 0;

  constructor(
    private readonly remains: DemoRemains,
    private readonly ports: DemoPorts,
  ) {}

  /** Returns whether the demo is gone. */
  async step(): Promise<boolean> {
    try {
      if (this.part < this.remains.parts) {
        if (await this.remains.deleteSome(this.part)) await this.advance();
        return false;
      }
      await this.remains.deleteRest();
      this.part = 0;
      return true;
    } catch (error) {
      // Another worker may have added rows to a part before, which this part refers to.
      this.part = 0;
      throw error;
    }
  }

  private async advance(): Promise<void> {
    this.part += 1;
    const progress = this.part / (this.remains.parts + 1);
    await this.ports.transact(async ({ demo }) => {
      const current = await demo.lock();
      if (current?.state === "removing")
        await demo.save({ ...current, progress: Math.max(current.progress, progress) });
    });
  }
}
