import { expect, test } from "vitest";
import { acceptedUploads, rejectedUploads, uploadCommand } from "../../src/rules/upload.js";

const request = (method: string, path: string, status: number) => ({
  id: "req_1",
  at: "2026-07-01T18:01:00Z",
  key_id: "key_1",
  method,
  path,
  status,
  duration_ms: 1,
  max_duration_ms: 1,
  error: null,
  explanation: null,
  count: 1,
});

test("the command sends a reading of each meter to this service", () => {
  const command = uploadCommand({
    restUrl: "https://dr.example.com/2022-04-15",
    keyHeader: "X-Service-API-Key",
    meterIds: ["mtr_1", "mtr_2"],
  });
  expect(command).toContain('-H "X-Service-API-Key: $KEY"');
  expect(command).toContain("https://dr.example.com/2022-04-15/telemetry -d");
  expect(command.match(/"meter_id":"mtr_\d"/g)).toEqual(['"meter_id":"mtr_1"', '"meter_id":"mtr_2"']);
  // The shell closes the quotes around the moment.
  expect(command).toContain(`"timestamp":"'$AT'"`);
});

test("uploads are told from other requests", () => {
  const log = [
    request("POST", "/2022-04-15/telemetry", 400),
    request("POST", "/2022-04-15/telemetry", 200),
    request("GET", "/2022-04-15/telemetry/kw?site_id&start_time", 400),
    request("POST", "/2022-04-15/telemetry/controllable-load", 400),
    request("POST", "/2022-04-15/dispatches", 400),
  ];
  expect(rejectedUploads(log)).toEqual([log[0]]);
  expect(acceptedUploads(log)).toEqual([log[1]]);
});
