import { expect } from "vitest";

/** Metrics that were made after this was asked for: a second's wait, since they are kept for as long. */
export const freshMetrics = async ({ url }: { readonly url: string }): Promise<string> => {
  const read = async () => (await fetch(`${url}/metrics`)).text();
  const kept = await read();
  let text = kept;
  // Whenever they are made, the process has used more of the processor.
  await expect.poll(async () => (text = await read()), { timeout: 10_000 }).not.toBe(kept);
  return text;
};
