import { expect } from "vitest";

/** Sends an upload of readings as another program would; returns how many readings the service took. */
export const uploaded = async (
  url: string,
  { headers, body }: { headers: readonly (readonly [string, string])[]; body: string },
): Promise<number> => {
  const response = await fetch(url, { method: "POST", headers: headers.map(([name, value]) => [name, value]), body });
  expect(response.status, `${body}\n${await response.text()}`).toBe(200);
  const { telemetry } = JSON.parse(body) as { telemetry: readonly unknown[] };
  return telemetry.length;
};
