import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Logged = operator.LoggedRequests;

interface Uploading {
  readonly restUrl: string;
  readonly keyHeader: string;
  readonly meterIds: readonly string[];
}

/** Length of the readings in the example, in seconds. */
export const EXAMPLE_SECONDS = 60;

/** A command that sends a reading of each meter for the minute that just ended. */
export const uploadCommand = ({ restUrl, keyHeader, meterIds }: Uploading): string => {
  const readings = meterIds.map(
    (id) => `  {"meter_id":"${id}","interval_seconds":${EXAMPLE_SECONDS},"timestamp":"'$AT'","kW":412.5}`,
  );
  return [
    `KEY='${say("paste the API key here")}'`,
    "AT=$(date -u +%Y-%m-%dT%H:%M:00Z)",
    `curl -H "${keyHeader}: $KEY" -H 'Content-Type: application/json' \\`,
    `  ${restUrl}/telemetry -d '{"telemetry":[`,
    readings.join(",\n"),
    "]}'",
  ].join("\n");
};

/** Uploads of readings that were rejected, in the order of the request log. */
export const rejectedUploads = (requests: readonly Logged[]): readonly Logged[] =>
  requests.filter(({ method, path, status }) => method === "POST" && isUpload(path) && status >= 400);

/** Uploads that were accepted. */
export const acceptedUploads = (requests: readonly Logged[]): readonly Logged[] =>
  requests.filter(({ method, path, status }) => method === "POST" && isUpload(path) && status < 400);

const isUpload = (path: string): boolean => /\/telemetry(?:\?|$)/.test(path);
