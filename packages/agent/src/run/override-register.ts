import type { OverrideInput } from "../config/config.js";
import { modeOfRegister, type OverrideMode } from "../control/override.js";
import type { Links } from "../devices/links.js";
import { repeat } from "./loops.js";

const READ_MS = 2_000;

/**
 * Calls `changed` whenever a register or point has another value than before; the value 0 at the start is none. A
 * register that cannot be read changes nothing.
 */
export const followRegister = async (
  input: OverrideInput,
  { links, signal, failed }: { links: Links; signal: AbortSignal; failed: (error: unknown) => void },
  changed: (mode: OverrideMode | null) => void,
): Promise<void> => {
  let before = 0;
  const read = async (): Promise<void> => {
    const [result] = await links.read([input]);
    if (result === undefined || "fault" in result || result.value === before) return;
    const mode = modeOfRegister(result.value);
    if (mode === undefined) return;
    before = result.value;
    changed(mode);
  };
  await repeat(READ_MS, signal, read, failed);
};
