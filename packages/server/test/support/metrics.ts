import { expect } from "vitest";

/** Metrics rendered after the call: waits up to a second, since they are kept for that long. */
export const freshMetrics = async ({ url }: { readonly url: string }): Promise<string> => {
  const read = async () => (await fetch(`${url}/metrics`)).text();
  const kept = await read();
  let text = kept;
  // Each rendering shows that the process has used more CPU time.
  await expect.poll(async () => (text = await read())).not.toBe(kept);
  return text;
};
