import type { Attack } from "./attack.js";

export const metrics: Attack = {
  title: "GET /metrics as fast as it is answered",
  run: ({ url }, sender) => sender.repeat(16, () => sender.post(`${url}/metrics`, { method: "GET" })),
};
