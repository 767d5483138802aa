export const assetTypes = ["load", "generator", "battery", "poi"] as const;
export type AssetType = (typeof assetTypes)[number];

export interface Meter {
  readonly id: string;
  readonly name: string;
  readonly assetType: AssetType;
}

/** A single physical location that can be curtailed. */
export interface Site {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly customerLocationId: string;
  readonly dispatchGroup: string;
  readonly timezone: string;
  readonly createdAt: Date;
  readonly meters: readonly Meter[];
}
