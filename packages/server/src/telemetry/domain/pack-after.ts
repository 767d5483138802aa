/** Under which name a store keeps after how many days it packs; migration 0160 writes it for new ones. */
export const PACK_AFTER_SETTING = "pack_after";

/**
 * After how many days readings are packed; null: they are not.
 *
 * @param given by the operator; null: nothing
 * @param kept by the store; null: it is older than packing by default
 */
export const packAfterDays = (given: number | "off" | null, kept: string | null): number | null => {
  if (given === "off") return null;
  return given ?? (kept === null ? null : Number(kept));
};
