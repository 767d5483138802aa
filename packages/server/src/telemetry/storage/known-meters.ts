import type { MeterKey } from "@curtail/measure";
import { NumbersByKey } from "./numbers-by-key.js";

export interface KnownMeter {
  readonly accountId: string;
  readonly key: MeterKey;
}

/** Meters by id, some 90 bytes each. A meter never changes its site, nor a site its account. */
export class KnownMeters {
  private readonly meters = new Map<string, number>();
  private readonly sites = new NumbersByKey();
  /** Places in `names` by site, from 1 on. */
  private readonly accounts = new NumbersByKey();
  private readonly places = new Map<string, number>();
  private readonly names: string[] = [];

  /** @param most beyond it, all are forgotten */
  constructor(private readonly most: number) {}

  get(id: string): KnownMeter | undefined {
    const meter = this.meters.get(id);
    if (meter === undefined) return undefined;
    const site = this.sites.get(meter);
    return { accountId: this.names[this.accounts.get(site) - 1] ?? "", key: { site, meter } };
  }

  add(found: Iterable<readonly [id: string, meter: KnownMeter]>): void {
    if (this.meters.size > this.most) this.clear();
    for (const [id, { accountId, key }] of found) {
      this.meters.set(id, key.meter);
      this.sites.set(key.meter, key.site);
      this.accounts.set(key.site, this.placeOf(accountId));
    }
  }

  private placeOf(accountId: string): number {
    const place = this.places.get(accountId) ?? this.names.push(accountId);
    this.places.set(accountId, place);
    return place;
  }

  private clear(): void {
    this.meters.clear();
    this.sites.clear();
    this.accounts.clear();
    this.places.clear();
    this.names.length = 0;
  }
}
