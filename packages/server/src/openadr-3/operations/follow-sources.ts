import type { Retailer } from "@curtail/openadr-3";
import type { LoopClock, NewId } from "../../platform/clock.js";
import type { Ports } from "../../platform/ports.js";
import { projectAccount, projectRehearsal } from "./project-account.js";
import { projectDispatch } from "./project-dispatch.js";
import { projectPrograms } from "./project-programs.js";
import type { ProjectionSources, RehearsalSources } from "./projection-ports.js";
import type { Projecting, ProjectingStores } from "./record-projection.js";

export interface FollowPorts {
  readonly sources: Pick<ProjectionSources, "dueDispatches" | "lapsingDispatches">;
  readonly rehearsals: RehearsalSources;
  readonly transact: Ports<ProjectingStores>["transact"];
  readonly clock: LoopClock;
  readonly newId: NewId;
  readonly retailer: Retailer;
  readonly log: { error(details: object, message: string): void };
}

/** How long what failed is left alone, so that the others go on. */
const RETRY_MS = 10_000;

/** Periods of dispatches without an end are an hour at least, and prolonged when half of that is left. */
const PROLONGING_MS = 60_000;

/** Makes objects of OpenADR follow our programs, sites, clients and dispatches, one source and one process at a time. */
export class SourceFollower {
  private readonly failedUntilMs = new Map<string, number>();
  private hasBegun = false;
  private prolongedAt = new Date(0);

  constructor(private readonly ports: FollowPorts) {}

  /** Returns true if there may be more to do at once. */
  async look(): Promise<boolean> {
    const { sources, rehearsals, clock } = this.ports;
    if (!this.hasBegun) return this.begin();
    const now = clock.now();
    const playing = await rehearsals.dueAccounts(now);
    const isProgramsTurn = await this.inTurn(async (stores, projecting) => {
      if (await stores.openadr3Sources.takePrograms()) await this.programs(stores, projecting);
    });
    if (!isProgramsTurn) return false;
    const hadAccount = await this.account();
    const dispatches = await sources.dueDispatches(now, this.failed());
    for (const id of dispatches) await this.attempt(id, (...inside) => projectDispatch(...inside, id));
    for (const accountId of playing) await this.play(accountId, now);
    return hadAccount || dispatches.length > 0;
  }

  /** Dispatches without an end have events that are prolonged before they end; nothing more is to do at once. */
  async prolong(): Promise<false> {
    const now = this.ports.clock.now();
    // A clock that was set back must not delay it.
    if (Math.abs(now.getTime() - this.prolongedAt.getTime()) < PROLONGING_MS) return false;
    this.prolongedAt = now;
    for (const id of await this.ports.sources.lapsingDispatches(now))
      if (!this.failed().includes(id)) await this.attempt(id, (...inside) => projectDispatch(...inside, id));
    return false;
  }

  /** Settings may have changed while nothing ran. */
  private async begin(): Promise<boolean> {
    this.hasBegun = await this.inTurn((stores, projecting) => this.programs(stores, projecting));
    return this.hasBegun;
  }

  private async programs(stores: ProjectingStores, projecting: Projecting): Promise<void> {
    const { retailer } = this.ports;
    for (const environment of ["production", "sandbox"] as const) {
      await projectPrograms(stores, { ...projecting, environment }, retailer);
    }
  }

  /** false if there was none. */
  private async account(): Promise<boolean> {
    let accountId: string | null = null;
    try {
      await this.inTurn(async (stores, projecting) => {
        accountId = await stores.openadr3Sources.takeAccount(this.failed());
        if (accountId === null) return;
        await projectAccount(stores, projecting, accountId);
        await this.rehearse(stores, projecting, accountId);
      });
      return accountId !== null;
    } catch (error) {
      if (accountId === null) throw error;
      this.leave(accountId, error);
      return true;
    }
  }

  /** Marked afterwards: to follow twice changes nothing. */
  private async play(accountId: string, now: Date): Promise<void> {
    if (this.failed().includes(accountId)) return;
    const isDone = await this.attempt(accountId, (...inside) => this.rehearse(...inside, accountId));
    if (isDone) await this.ports.rehearsals.markFollowed(accountId, now);
  }

  /** Reads what is played in the turn: an older state must not follow a newer one. */
  private async rehearse(stores: ProjectingStores, projecting: Projecting, accountId: string): Promise<void> {
    const rehearsal = await this.ports.rehearsals.rehearsalOf(accountId, projecting.at);
    await projectRehearsal(stores, { ...projecting, environment: "sandbox" }, rehearsal);
  }

  /** false if it failed, or another process is at it. */
  private async attempt(
    id: string,
    work: (stores: ProjectingStores, projecting: Projecting) => Promise<void>,
  ): Promise<boolean> {
    try {
      return await this.inTurn(work);
    } catch (error) {
      this.leave(id, error);
      return false;
    }
  }

  private leave(id: string, error: unknown): void {
    const { log, clock } = this.ports;
    this.failedUntilMs.set(id, clock.monotonicMs() + RETRY_MS);
    log.error({ err: error, source: id }, "objects of OpenADR 3 could not follow their source; retrying");
  }

  private failed(): readonly string[] {
    const nowMs = this.ports.clock.monotonicMs();
    for (const [id, untilMs] of this.failedUntilMs) if (untilMs <= nowMs) this.failedUntilMs.delete(id);
    return [...this.failedUntilMs.keys()];
  }

  /** false if another process is at it. */
  private async inTurn(work: (stores: ProjectingStores, projecting: Projecting) => Promise<void>): Promise<boolean> {
    const { transact, clock, newId } = this.ports;
    const done = await transact(async (stores) => {
      if (!(await stores.openadr3Sources.takeTurn())) return false;
      await work(stores, { environment: "production", at: clock.now(), newId });
      return true;
    });
    return done === true;
  }
}
