import type { Environment } from "../../access/domain/api-key.js";
import { Batcher } from "../../platform/batcher.js";
import { FreshMemory } from "../../platform/fresh-memory.js";
import type { JournalEntry, JournalKind } from "../../platform/journal.js";
import type { Openadr3Client } from "../domain/client.js";
import { CommonObjects, type HeldSource, type LargeVen, type NotedChange, type VenHoldings } from "./held-objects.js";
import { VenSight } from "./ven-sight.js";

/** Of what is held of VENs; that of all has limits of its own (`openadr-3/storage/held-objects.ts`). */
const MOST_BYTES = 64 * 1024 * 1024;
/** Beyond so many changes that nobody asked about, everything is read again. */
const MOST_CHANGES = 1000;
/** VENs or accounts that changed; beyond that, all did. */
const MOST_CHANGED = 50_000;

/** What the account of a VEN has changes what it is granted. */
const OF_ACCOUNTS: readonly string[] = [
  "program.enrol",
  "program.withdraw",
  "site.create",
  "site.change",
] satisfies JournalKind[];

/** Deletes objects without changes that somebody is notified of. */
const OF_ANYTHING: readonly string[] = ["openadr3.prune", "demo.remove"] satisfies JournalKind[];

type Common = Readonly<Record<Environment, CommonObjects>>;

/**
 * Programs and events as VENs see them, in memory. It follows the tail of the journal, whose entries name the changes; the
 * objects that these are about are read again when somebody asks next.
 */
export class ObjectMemory {
  /** Advances with each change, to tell what was read before it. */
  private clock = 0;
  private vensChangedAt = 0;
  private readonly venChangedAt = new Map<string, number>();
  private readonly accountChangedAt = new Map<string, number>();
  /** null: to be read again. "large": it is more than is held. */
  private common: Common | "large" | null = null;
  private resets = 0;
  /** Changes that are not followed yet. */
  private seqs = new Set<number>();
  private isFollowing = false;
  private readonly following = new Batcher<null>({ work: () => this.follow(), most: Number.POSITIVE_INFINITY });
  private readonly vens: FreshMemory<VenHoldings | LargeVen | null>;

  constructor(
    private readonly source: HeldSource,
    mostBytes = MOST_BYTES,
  ) {
    this.vens = new FreshMemory({
      load: (clientIds) => source.ofClients(clientIds),
      bytesOf: venBytes,
      mostBytes,
      holds: (held, readAt) => held !== null && this.changedAt(held) <= Number(readAt),
    });
  }

  take(entries: readonly JournalEntry[]): void {
    for (const { kind, subject, ref, accounts } of entries) {
      if (OF_ANYTHING.includes(kind)) this.reset();
      else if (OF_ACCOUNTS.includes(kind)) this.accountsChanged(accounts);
      else if (kind === "openadr3.objects") this.note(subject, ref);
    }
  }

  reset(): void {
    this.resets += 1;
    this.common = null;
    this.seqs.clear();
    this.vensChanged();
  }

  /**
   * What a VEN sees, as of everything that the journal was read for; null: not in memory. Throws if the database cannot be
   * read.
   */
  async sightOf({ id, environment }: Pick<Openadr3Client, "id" | "environment">): Promise<VenSight | null> {
    if (this.common !== "large" && (this.common === null || this.seqs.size > 0 || this.isFollowing))
      await this.following.add(null);
    const readAt = `${this.clock}`;
    // Not where it would be of no use.
    const holdings =
      this.common === "large" ? null : (this.vens.known(id, readAt) ?? (await this.vens.find(id, readAt)));
    const { common } = this;
    if (holdings === null || "isLarge" in holdings || common === null || common === "large") return null;
    return new VenSight(id, common[environment], holdings);
  }

  private note(subject: string, ref: number | null): void {
    if (subject !== "") this.mark(this.venChangedAt, subject);
    if (this.common === null && !this.isFollowing) return;
    if (ref === null || this.seqs.size >= MOST_CHANGES) return this.reset();
    this.seqs.add(ref);
  }

  private async follow(): Promise<void> {
    this.isFollowing = true;
    try {
      if (this.common !== null) await this.readChanged();
      if (this.common === null) await this.readAll();
    } catch (error) {
      this.reset();
      throw error;
    } finally {
      this.isFollowing = false;
    }
  }

  private async readAll(): Promise<void> {
    this.seqs.clear();
    const { resets } = this;
    const held = await this.source.common();
    // Read before that; whoever asks now gets an answer from the database.
    if (resets !== this.resets) throw new Error("objects of OpenADR 3 were changed all at once while they were read");
    const of = (environment: Environment) =>
      new CommonObjects((held ?? []).filter(({ object }) => object.environment === environment));
    this.common = held === null ? "large" : { production: of("production"), sandbox: of("sandbox") };
  }

  private async readChanged(): Promise<void> {
    const seqs = [...this.seqs];
    this.seqs.clear();
    if (seqs.length === 0 || this.common === "large") return;
    const { resets } = this;
    const changes = await this.source.changed(seqs);
    if (changes === null) return this.reset();
    if (resets === this.resets && this.common !== null) this.apply(this.common, changes);
  }

  private apply(common: Common, changes: readonly NotedChange[]): void {
    for (const { id, objectType, venId } of changes) {
      const ven = objectType === "VEN" ? id : venId;
      if (ven !== null) this.mark(this.venChangedAt, ven);
    }
    const ofAll = changes.filter(isCommon);
    for (const environment of ["production", "sandbox"] as const)
      common[environment].change(ofAll.filter((change) => change.environment === environment));
  }

  private changedAt(held: VenHoldings | LargeVen): number {
    if ("isLarge" in held) return this.vensChangedAt;
    const { ven, accountId } = held;
    const ofVen = this.venChangedAt.get(ven.object.id) ?? 0;
    const ofAccount = accountId === null ? 0 : (this.accountChangedAt.get(accountId) ?? 0);
    return Math.max(this.vensChangedAt, ofVen, ofAccount);
  }

  private accountsChanged(accounts: readonly string[] | null): void {
    if (accounts === null) this.vensChanged();
    else for (const account of accounts) this.mark(this.accountChangedAt, account);
  }

  private mark(changedAt: Map<string, number>, id: string): void {
    if (changedAt.size >= MOST_CHANGED) return this.vensChanged();
    this.clock += 1;
    changedAt.set(id, this.clock);
  }

  private vensChanged(): void {
    this.clock += 1;
    this.vensChangedAt = this.clock;
    this.venChangedAt.clear();
    this.accountChangedAt.clear();
  }
}

/** A program or event that is for no ven alone. */
const isCommon = ({ objectType, venId }: NotedChange): boolean =>
  (objectType === "PROGRAM" || objectType === "EVENT") && venId === null;

const LARGE_BYTES = 200;

const venBytes = (held: VenHoldings | LargeVen | null): number => {
  if (held === null || "isLarge" in held) return LARGE_BYTES;
  return [held.ven, ...held.resources, ...held.events].reduce((sum, { bytes }) => sum + bytes, LARGE_BYTES);
};
