import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { power } from "../format/quantity.js";
import { dayAndClock } from "../format/time.js";
import { EXAMPLE_SECONDS, rejectedUploads, uploadCommand } from "../rules/upload.js";
import { Copy } from "../ui/copy.js";
import { sayParts } from "../ui/say-parts.js";

interface Props {
  readonly addresses: { readonly rest_url: string; readonly api_key_header: string };
  readonly meters: readonly { readonly id: string; readonly name: string }[];
  /** The newest one; null while none has come. */
  readonly reading: { readonly at: string; readonly kw: number | null } | null;
  readonly timeZone: string;
  /** The request log, newest first. */
  readonly requests: readonly operator.LoggedRequests[];
  /** How to get a key. */
  readonly apiKey: ReactNode;
}

const MOST_METERS = 20;

/** How to send the first reading: a key, a command, and what becomes of it. */
export const FirstUpload = ({ addresses, meters, reading, timeZone, requests, apiKey }: Props) => (
  <div className="grid gap-4">
    <State reading={reading} timeZone={timeZone} />
    <Rejected requests={rejectedUploads(requests)} timeZone={timeZone} />
    {reading === null && (
      <ol className="grid list-decimal gap-4 pl-5">
        <li>
          <h3 className="mb-1 font-medium">{say("Get an API key")}</h3>
          {apiKey}
        </li>
        <li>
          <h3 className="mb-1 font-medium">{say("Send a reading of each meter")}</h3>
          <Copy
            label={say("the command", {}, "copied")}
            text={uploadCommand({
              restUrl: addresses.rest_url,
              keyHeader: addresses.api_key_header,
              meterIds: meters.slice(0, MOST_METERS).map(({ id }) => id),
            })}
          />
          <p className="mt-1 text-sm text-muted">
            {say("{meters}. The timestamp is the end of the interval of {n} seconds; the value is the mean power.", {
              meters: meters.map(({ id, name }) => say("{id} is {meter}", { id, meter: name })).join(", "),
              n: EXAMPLE_SECONDS,
            })}
          </p>
        </li>
        <li>
          <h3 className="mb-1 font-medium">{say("Let the system send every minute")}</h3>
          <p>
            {sayParts("The <a>documentation</a> has all fields, units and limits.", {
              a: (inside) => (
                <a href={`${addresses.rest_url}/docs`} className="font-medium text-accent hover:underline">
                  {inside}
                </a>
              ),
            })}
          </p>
        </li>
      </ol>
    )}
  </div>
);

const State = ({ reading, timeZone }: Pick<Props, "reading" | "timeZone">) => (
  <p
    role="status"
    className={`rounded-lg px-3 py-2 font-medium ${reading === null ? "bg-sunken" : "bg-good-soft text-good"}`}
  >
    {reading === null ? say("Waiting for the first reading…") : receivedWords(reading, timeZone)}
  </p>
);

const receivedWords = ({ at, kw }: NonNullable<Props["reading"]>, timeZone: string): string => {
  const values = { time: dayAndClock(at, timeZone), zone: timeZone };
  return kw === null
    ? say("Received, {time} ({zone}).", values)
    : say("Received: {power}, {time} ({zone}).", { ...values, power: power(kw) });
};

const MOST_REJECTED = 3;

const Rejected = ({
  requests,
  timeZone,
}: {
  readonly requests: readonly operator.LoggedRequests[];
  readonly timeZone: string;
}) =>
  requests.length > 0 && (
    <section aria-label={say("Rejected uploads")} className="rounded-lg bg-warn-soft px-3 py-2">
      <h3 className="font-medium text-warn">{say("Rejected uploads of the account, in the last 24 hours")}</h3>
      <ul className="mt-1 grid gap-2">
        {requests.slice(0, MOST_REJECTED).map(({ at, key_id, status, error, explanation }) => (
          <li key={`${at} ${key_id} ${error}`} className="min-w-0 break-words">
            {dayAndClock(at, timeZone)}, {status}: {error}
            {explanation !== null && <span className="block text-sm text-muted">{explanation}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
