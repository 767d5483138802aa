import { expect } from "vitest";
import { type Running, running } from "./running.js";

// Reliability R9: the age of the oldest undelivered notice, without exclusions; and who cannot be reached.
export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const scrape = async (on = service): Promise<string> => {
  const response = await fetch(`${on.url}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
};
