import type { OverrideInput } from "../config/config.js";
import { modeOfRegister, type OverrideMode } from "../control/override.js";
import type { Links } from "../devices/links.js";
import { repeat } from "./loops.js";

const READ_MS = 2_000;

interface RegisterListener {
  readonly changed: (mode: OverrideMode | null) => void;
  /** Why the register says nothing; null: it does. */
  readonly noted: (trouble: string | null) => void;
}

/**
 * Calls `changed` whenever a register or point has another value than before; the value 0 at the start is none. A
 * register that cannot be read, or has another value, changes nothing.
 */
export const followRegister = async (
  input: OverrideInput,
  { links, signal, failed }: { links: Links; signal: AbortSignal; failed: (error: unknown) => void },
  { changed, noted }: RegisterListener,
): Promise<void> => {
  let before = 0;
  const read = async (): Promise<void> => {
    const [result] = await links.read([input]);
    if (result === undefined) return;
    if ("fault" in result) return noted(result.fault);
    const mode = modeOfRegister(result.value);
    noted(mode === undefined ? `holds ${result.value}; 0 is none, 1 normal, 2 curtail` : null);
    if (mode === undefined || result.value === before) return;
    before = result.value;
    changed(mode);
  };
  await repeat(READ_MS, signal, read, failed);
};
