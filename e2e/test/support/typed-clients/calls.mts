// What a typed client of TypeScript does: an operator's first day, then a participant's.
import createClient from "openapi-fetch";
import type { paths as OperatorPaths } from "./operator.d.ts";
import type { paths as ParticipantPaths } from "./participant.d.ts";

declare const process: { readonly argv: string[]; readonly stdout: { write(text: string): void } };

const [url = "", token = ""] = process.argv.slice(2);
const operator = createClient<OperatorPaths>({
  baseUrl: `${url}/operator/v1`,
  headers: { authorization: `Bearer ${token}` },
});

const done = <T,>({ data, error }: { data?: T; error?: { message: string } }): T => {
  if (data === undefined) throw new Error(error?.message ?? "no answer");
  return data;
};

const account = done(await operator.POST("/accounts", { body: { name: "Typed in TypeScript" } }));
const site = done(
  await operator.POST("/accounts/{id}/sites", {
    params: { path: { id: account.id } },
    body: { name: "Store", meters: [{ name: "main" }] },
  }),
);
const program = done(
  await operator.POST("/programs", {
    body: {
      name: "Typed in TypeScript",
      timezone: "UTC",
      market: "",
      program_type: "capacity",
      baseline: { preset: "ten_of_ten" },
    },
  }),
);
done(
  await operator.PUT("/programs/{id}/sites/{site_id}", {
    params: { path: { id: program.id, site_id: site.id } },
    body: { commitment: 50 },
  }),
);
const start_time = new Date(Date.now() + 600_000).toISOString();
const dispatch = done(
  await operator.POST("/dispatches", { body: { program_id: program.id, start_time, end_time: null } }),
);
const key = done(
  await operator.POST("/accounts/{id}/keys", {
    params: { path: { id: account.id } },
    body: { environment: "production" },
  }),
);
const claimed = (await (await fetch(key.claim_url, { method: "POST" })).json()) as { api_key: string };

const participant = createClient<ParticipantPaths>({
  baseUrl: `${url}/2022-04-15`,
  headers: { "X-Service-API-Key": claimed.api_key },
});
const meter_id = done(await participant.GET("/sites")).sites[0]?.meters[0]?.id ?? "";
const timestamp = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
const upload = done(
  await participant.POST("/telemetry", {
    body: { telemetry: [{ meter_id, interval_seconds: 60, timestamp, kW: 405.8 }] },
  }),
);
const [seen] = done(await participant.GET("/dispatches")).dispatches;
if (upload.received !== 1 || seen?.id !== dispatch.id || seen.cancelled)
  throw new Error(`unexpected: ${JSON.stringify({ upload, seen })}`);
process.stdout.write("all calls succeeded\n");
