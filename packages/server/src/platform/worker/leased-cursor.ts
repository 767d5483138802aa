import { randomUUID } from "node:crypto";
import type { LoopClock } from "../clock.js";
import type { CursorLease } from "../follower.js";
import type { Cursor } from "../journal.js";
import { Polling } from "../polling.js";

export interface LeasedCursorPorts {
  readonly lease: CursorLease;
  readonly clock: LoopClock;
  /** Whether this process could make use of the cursor now. */
  readonly isWanted: () => boolean;
  /** It was taken, or lost. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** A cursor that a killed process held waits this long. */
export const CURSOR_LEASE_MS = 10_000;
const RENEW_MS = 4000;
/** How often to ask while it is not wanted, or after a failure. */
const LOOK_MS = 1000;

/** A cursor that one process holds at a time, for an effect outside of the database. */
export class LeasedCursor {
  private readonly polling: Polling;
  private holding: HeldCursor | null = null;
  private pauseMs = LOOK_MS;

  constructor(private readonly ports: LeasedCursorPorts) {
    const { clock, onError } = ports;
    this.polling = new Polling({ look: () => this.look(), onError, clock, everyMs: () => this.pauseMs });
  }

  /** null: another process has it. Held or not, see there. */
  get held(): HeldCursor | null {
    return this.holding;
  }

  start(): void {
    this.polling.start();
  }

  /** Another process may make use of it. */
  async giveUp(): Promise<void> {
    const { holding } = this;
    if (holding === null) return;
    this.lose();
    await this.ports.lease.release(holding.holder);
  }

  async stop(): Promise<void> {
    await this.polling.stop();
    // Else the lease ends by itself.
    await this.giveUp().catch(this.ports.onError);
  }

  private async look(): Promise<void> {
    this.pauseMs = LOOK_MS;
    if (!this.ports.isWanted()) return;
    if (this.holding === null) await this.take();
    else await this.renew(this.holding);
  }

  private async take(): Promise<void> {
    const { lease, clock, onChange } = this.ports;
    const [now, beganMs, holder] = [clock.now(), clock.monotonicMs(), randomUUID()];
    const taken = await lease.take(holder, { now, until: untilFrom(now) });
    const restMs = taken.until.getTime() - now.getTime();
    this.pauseMs = taken.cursor === null ? Math.min(Math.max(restMs, LOOK_MS), CURSOR_LEASE_MS) : RENEW_MS;
    if (taken.cursor === null) return;
    this.holding = new HeldCursor(holder, taken.cursor, this.ports, beganMs);
    onChange();
  }

  /** Also after it ended, if no other process took it. */
  private async renew(holding: HeldCursor): Promise<void> {
    const { lease, clock, onChange } = this.ports;
    const [now, beganMs, wasHeld] = [clock.now(), clock.monotonicMs(), holding.isHeld];
    const isRenewed = await lease.renew(holding.holder, untilFrom(now));
    // It was given up meanwhile.
    if (this.holding !== holding) return;
    if (!isRenewed) return this.lose();
    this.pauseMs = RENEW_MS;
    holding.renewed(beganMs);
    if (!wasHeld) onChange();
  }

  private lose(): void {
    this.holding?.lose();
    this.holding = null;
    this.ports.onChange();
  }
}

const untilFrom = (now: Date): Date => new Date(now.getTime() + CURSOR_LEASE_MS);

/** The cursor in the hands of this process. */
export class HeldCursor {
  /** By a clock that goes on while the process is suspended. */
  private untilMs: number;

  constructor(
    /** Another one each time that it is taken: what was begun under an earlier one moves nothing. */
    readonly holder: string,
    public cursor: Cursor,
    private readonly ports: Pick<LeasedCursorPorts, "lease" | "clock">,
    beganMs: number,
  ) {
    this.untilMs = beganMs + CURSOR_LEASE_MS;
  }

  /** false: the lease ended, and another process may have taken it. */
  get isHeld(): boolean {
    return this.ports.clock.monotonicMs() < this.untilMs;
  }

  /** Call after the effect; false: it was lost, and another process may repeat the effect. */
  async move(cursor: Cursor): Promise<boolean> {
    const { lease, clock } = this.ports;
    const isMoved = await lease.move(this.holder, cursor, clock.now());
    if (isMoved) this.cursor = cursor;
    else this.lose();
    return isMoved;
  }

  renewed(beganMs: number): void {
    this.untilMs = beganMs + CURSOR_LEASE_MS;
  }

  lose(): void {
    this.untilMs = Number.NEGATIVE_INFINITY;
  }
}
