import type { BaselineMethod } from "../../src/method.js";
import { presets } from "../../src/presets.js";

/** The method of a preset. */
export const methodOf = (id: string): BaselineMethod => {
  const preset = presets.find((each) => each.id === id);
  if (preset === undefined) throw new Error(`no preset ${id}`);
  return preset.method;
};
