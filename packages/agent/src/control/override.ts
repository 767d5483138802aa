/** A person's decision, which overrides dispatches until it ends. */
export interface Override {
  /** `normal`: do not curtail. `curtail`: curtail as if a dispatch asked for as much as possible. */
  readonly mode: OverrideMode;
  readonly who: string;
  /** How it was given. */
  readonly by: "mqtt" | "register" | "status page";
  readonly atMs: number;
  /** null: until it is withdrawn. */
  readonly untilMs: number | null;
}

export const OVERRIDE_MODES = ["normal", "curtail"] as const;
export type OverrideMode = (typeof OVERRIDE_MODES)[number];

export const isOverriding = (override: Override | null, nowMs: number): override is Override =>
  override !== null && (override.untilMs === null || nowMs < override.untilMs);

/** What a register says: 1 normal, 2 curtail, 0 none; undefined for anything else. */
export const modeOfRegister = (value: number): OverrideMode | null | undefined => {
  if (value === 0) return null;
  if (value === 1) return "normal";
  return value === 2 ? "curtail" : undefined;
};
