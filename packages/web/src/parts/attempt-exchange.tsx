import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { exact } from "../format/time.js";
import { Button } from "../ui/button.js";
import { Actions } from "../ui/dialog.js";
import { DialogButton } from "../ui/dialog-button.js";
import { outcomeWords } from "./webhook-outcome.js";

type Attempt = operator.Delivery["attempts"][number];

/** What an attempt sent to a webhook, and what came back. */
export const AttemptExchange = ({ of, timeZone }: { readonly of: Attempt; readonly timeZone?: string | undefined }) => {
  const at = exact(of.at, timeZone);
  return (
    <DialogButton
      look="quiet"
      label={say("Details")}
      title={say("Attempt of {time}", { time: at })}
      name={say("Details of the attempt of {time}", { time: at })}
    >
      {(close) => (
        <>
          <Part title={say("Request")}>
            {of.request === null ? (
              <p>{say("None was sent, since it could not be signed.")}</p>
            ) : (
              <>
                <Text label={say("Headers of the request")}>{headersOf(of.request)}</Text>
                <Text label={say("Body of the request")}>{of.request.body}</Text>
              </>
            )}
          </Part>
          <Part title={say("Response")}>
            <p className="mb-2 first-letter:uppercase">{outcomeWords(of)}.</p>
            {of.response !== null && <AttemptResponse of={of.response} />}
          </Part>
          <Actions>
            <Button onClick={close}>{say("Close")}</Button>
          </Actions>
        </>
      )}
    </DialogButton>
  );
};

const headersOf = ({ headers }: NonNullable<Attempt["request"]>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value ?? say("(sent, but not kept)")}`)
    .join("\n");

/** The beginning of a response. */
export const AttemptResponse = ({ of: { content_type, body } }: { readonly of: NonNullable<Attempt["response"]> }) => (
  <>
    {content_type !== null && <Text label={say("Headers of the response")}>{`content-type: ${content_type}`}</Text>}
    {body === null && <p>{say("Its body is not shown: it was not kept, or the address is not public.")}</p>}
    {body === "" && <p>{say("Its body was empty.")}</p>}
    {body !== null && body !== "" && <Text label={say("Body of the response")}>{body}</Text>}
  </>
);

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="mb-4">
    <h3 className="mb-1 font-medium">{title}</h3>
    {children}
  </section>
);

/** Foreign text: as it is, from left to right, and scrolled if it is long. */
const Text = ({ label, children }: { readonly label: string; readonly children: string }) => (
  <pre
    role="region"
    aria-label={label}
    tabIndex={0}
    dir="ltr"
    className="mb-2 max-h-60 overflow-auto rounded bg-sunken px-2 py-1 text-sm wrap-anywhere whitespace-pre-wrap"
  >
    {children}
  </pre>
);
