/** Of one attempt. */
export interface Place {
  /** Call when the attempt begins. */
  begin(): void;
  /** Call when it has ended, and say whether the receiver took it. */
  leave(isTaken: boolean): void;
}

/** How much a worker sends at the same time. */
export interface Places<T> {
  /** How many may be claimed now. */
  readonly room: number;
  /** Whether nothing is being sent. */
  readonly isEmpty: boolean;
  /** Takes a place for an attempt that begins soon. */
  take(item: T): Place;
}

/** The same for every item, however long its attempt takes. */
export class CountedPlaces implements Places<unknown> {
  private taken = 0;

  /** @param onRoom called when a place is free after there was none */
  constructor(
    private readonly most: number,
    private readonly onRoom: () => void,
  ) {}

  get room(): number {
    return this.most - this.taken;
  }

  get isEmpty(): boolean {
    return this.taken === 0;
  }

  take(): Place {
    this.taken += 1;
    return { begin: () => {}, leave: () => this.leave() };
  }

  private leave(): void {
    const wasFull = this.room <= 0;
    this.taken -= 1;
    if (wasFull && this.room > 0) this.onRoom();
  }
}
