import type { StoredObject } from "../domain/stored-object.js";

/** An object in memory, with its place in lists. */
export interface HeldObject {
  readonly object: StoredObject;
  readonly seq: number;
  /** Approximate size, with its JSON. */
  readonly bytes: number;
}

/** What is held of one VEN. */
export interface VenHoldings {
  readonly ven: HeldObject;
  readonly accountId: string | null;
  /** Programs of the service with an enrolment of the account. */
  readonly programIds: readonly string[];
  /** In the order of creation. */
  readonly resources: readonly HeldObject[];
  /** Those for this ven alone, in the order of creation. */
  readonly events: readonly HeldObject[];
}

/** A VEN with more objects than are held. */
export interface LargeVen {
  readonly isLarge: true;
}

/** An object that was created, changed or deleted. */
export interface NotedChange {
  readonly id: string;
  readonly objectType: StoredObject["objectType"];
  readonly environment: StoredObject["environment"];
  readonly venId: string | null;
  /** A program or event that is for no ven alone, as it is now; null: it is gone, or another object. */
  readonly held: HeldObject | null;
}

/** Reads what is held in memory. */
export interface HeldSource {
  /** Programs and events that are for no ven alone, in the order of creation; null: more than are held. */
  common(): Promise<readonly HeldObject[] | null>;
  /** What the transactions of these changes changed; null if that is not known, or is much. */
  changed(seqs: readonly number[]): Promise<readonly NotedChange[] | null>;
  /** Of the VENs of these clients, in their order; null: the client has no ven. */
  ofClients(clientIds: readonly string[]): Promise<ReadonlyArray<VenHoldings | LargeVen | null>>;
}

/** Programs and events of an environment that are for no ven alone. */
export class CommonObjects {
  /** Another one after each change. */
  version = 0;
  /** In the order of creation. */
  programs: readonly HeldObject[] = [];
  events: readonly HeldObject[] = [];
  private byId = new Map<string, HeldObject>();

  /** @param held in the order of creation */
  constructor(held: readonly HeldObject[]) {
    for (const each of held) this.byId.set(each.object.id, each);
    this.list();
  }

  get(id: string): StoredObject | null {
    return this.byId.get(id)?.object ?? null;
  }

  get bytes(): number {
    return [...this.byId.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Who sees a program or event by its targets. */
  audienceOf({ objectType, targets, programId }: StoredObject): readonly string[] {
    if (objectType !== "EVENT" || targets.length > 0 || programId === null) return targets;
    return this.get(programId)?.targets ?? [];
  }

  change(changes: readonly NotedChange[]): void {
    if (changes.length === 0) return;
    for (const { id, held } of changes) {
      if (held === null) this.byId.delete(id);
      else this.byId.set(id, held);
    }
    this.list();
  }

  private list(): void {
    this.version += 1;
    const held = [...this.byId.values()].sort((a, b) => a.seq - b.seq);
    this.programs = held.filter(({ object }) => object.objectType === "PROGRAM");
    this.events = held.filter(({ object }) => object.objectType === "EVENT");
  }
}
