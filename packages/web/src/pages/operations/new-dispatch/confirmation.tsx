import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { ApiError, callOperator, OPERATOR } from "../../../api/call.js";
import { isConclusive } from "../../../api/once-key.js";
import { useFormChange } from "../../../api/use-change.js";
import { power } from "../../../format/quantity.js";
import type { DispatchBody } from "../../../rules/dispatch-draft.js";
import { periodOf } from "../../../rules/dispatch-state.js";
import { serviceSentence } from "../../../rules/service-sentences.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card, Figure, Figures, Stack } from "../../../ui/card.js";
import { Confirm as Question } from "../../../ui/dialog.js";
import { Fault, Waiting } from "../../../ui/state.js";
import { OverlappingSites, overlapWords } from "./overlapping-sites.js";
import { PreviewedAccounts } from "./previewed-accounts.js";

interface Confirming {
  readonly program: operator.Program;
  readonly body: DispatchBody;
  readonly startsNow: boolean;
  /** The body as of another moment: a dispatch that starts now starts when it is confirmed. */
  readonly bodyAt: (now: Date) => DispatchBody;
  readonly siteNames: ReadonlyMap<string, string>;
  readonly onBack: () => void;
}

/** Previews a dispatch and asks for confirmation. */
export const Confirmation = (confirming: Confirming) => {
  const { program, body, startsNow, onBack } = confirming;
  const preview = useQuery({
    queryKey: [OPERATOR, "/dispatches/preview", body],
    queryFn: () => callOperator("POST", "/dispatches/preview", { body }),
  });
  const period = periodOf({ start_time: body.start_time, end_time: body.end_time ?? null }, program.timezone);
  return (
    <Stack>
      <Card
        title={
          <span className="flex flex-wrap items-center gap-2">
            {program.name} {body.test === true && <Badge tone="warn">{say("test")}</Badge>}
          </span>
        }
      >
        <p>
          {startsNow && <strong>{say("Starts as soon as you confirm.")} </strong>}
          {period} ({program.timezone})
        </p>
      </Card>
      {preview.error !== null && <Fault error={preview.error} />}
      {preview.data !== undefined && (
        <Preview preview={preview.data} siteNames={confirming.siteNames} timeZone={program.timezone} />
      )}
      {preview.data === undefined && preview.error === null && <Waiting />}
      <div className="sticky bottom-0 z-10 -mx-3 flex flex-row-reverse flex-wrap gap-2 border-t border-line bg-surface px-3 py-3 md:-mx-4 md:px-4 xl:-mx-6 xl:px-6">
        {preview.data !== undefined && <Confirm {...confirming} preview={preview.data} />}
        <Button onClick={onBack}>{say("Back")}</Button>
      </div>
    </Stack>
  );
};

const Preview = ({
  preview,
  siteNames,
  timeZone,
}: {
  readonly preview: operator.DispatchPreview;
  readonly siteNames: ReadonlyMap<string, string>;
  readonly timeZone: string;
}) => {
  const { sites, commitment_kw, excluded_sites, overlapping_sites, accounts, record } = preview;
  const warned = accounts.filter(({ warnings }) => warnings.length > 0).length;
  return (
    <>
      <Figures>
        <Figure
          label={say("Dispatched", {}, "sites")}
          value={sitesWords(sites)}
          hint={say("of {n, plural, one {# account} other {# accounts}}", { n: accounts.length })}
        />
        <Figure label={say("Committed")} value={power(commitment_kw)} />
        <Figure
          label={say("Excluded", {}, "sites")}
          value={sitesWords(excluded_sites.length)}
          hint={say("not available in this period")}
          tone={excluded_sites.length > 0 ? "warn" : "ink"}
        />
        {overlapping_sites.length > 0 && (
          <Figure
            label={say("Already dispatched", {}, "sites")}
            value={sitesWords(overlapping_sites.length)}
            hint={say("in this period, by other dispatches")}
            tone="warn"
          />
        )}
        {record ? (
          <Figure
            label={say("Notified")}
            value={say("nobody")}
            hint={say("the dispatch is over already")}
            tone="warn"
          />
        ) : (
          <Figure
            label={say("With warnings", {}, "accounts")}
            value={say("{n, plural, one {# account} other {# accounts}}", { n: warned })}
            hint={say("may not be notified")}
            tone={warned > 0 ? "warn" : "good"}
          />
        )}
      </Figures>
      {overlapping_sites.length > 0 && <OverlappingSites sites={overlapping_sites} timeZone={timeZone} />}
      <PreviewedAccounts accounts={accounts} />
      {excluded_sites.length > 0 && (
        <Card title={say("Excluded sites")}>
          <ul className="grid gap-1">
            {excluded_sites.map(({ site_id, reason }) => (
              <li key={site_id}>
                <span className="font-medium">{siteNames.get(site_id) ?? site_id}</span>{" "}
                <span className="text-muted">{serviceSentence(reason)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
};

const sitesWords = (n: number): string => say("{n, plural, one {# site} other {# sites}}", { n });

/** Sites that are already dispatched, and a start in the past, require a second confirmation. */
const Confirm = (confirming: Confirming & { readonly preview: operator.DispatchPreview }) => {
  const { body, bodyAt, startsNow, preview, program } = confirming;
  const overlapping = preview.overlapping_sites;
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  // A second click may come before the button is disabled.
  const isSent = useRef(false);
  // While the outcome is unknown, the same body is sent again: with a new start it would be another dispatch.
  const unanswered = useRef<DispatchBody | null>(null);
  const issue = (made: DispatchBody) =>
    callOperator("POST", "/dispatches", { body: made }).catch((fault: unknown) => {
      isSent.current = false;
      unanswered.current = fault instanceof ApiError && isConclusive(fault.status) ? null : made;
      // The error is shown behind the dialog.
      setAsking(false);
      throw fault;
    });
  const make = useFormChange(issue, {
    done: ({ sites, record }) => (record ? say("Dispatch recorded. Nobody was notified.") : issuedWords(sites)),
    after: ({ id }) => void navigate({ to: "/operations/dispatches/$id", params: { id }, replace: true }),
  });
  const send = () => {
    if (isSent.current) return;
    isSent.current = true;
    const made = unanswered.current ?? (startsNow ? bodyAt(new Date()) : body);
    make.run(preview.confirm_past ? { ...made, confirm_past: true } : made);
  };
  return (
    <>
      <Button
        look="primary"
        onClick={overlapping.length > 0 || preview.confirm_past ? () => setAsking(true) : send}
        busy={make.isPending && say("Dispatching…")}
        disabled={preview.sites === 0}
      >
        {say("Dispatch {n, plural, one {# site} other {# sites}}, {kw}", {
          n: preview.sites,
          kw: power(preview.commitment_kw),
        })}
      </Button>
      {make.error !== null && (
        <div className="-order-1 w-full">
          <Fault error={make.error} />
        </div>
      )}
      <Question
        title={preview.confirm_past ? pastQuestion(preview) : say("Dispatch these sites again?")}
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={send}
        action={preview.record ? say("Record the dispatch") : say("Dispatch anyway")}
        busy={make.isPending}
      >
        {preview.confirm_past && <p>{pastWords(preview)}</p>}
        {overlapping.length > 0 && (
          <p>
            {overlapWords(overlapping, program.timezone)} {say("Existing dispatches do not change.")}
          </p>
        )}
      </Question>
    </>
  );
};

type Past = Pick<operator.DispatchPreview, "record">;

const pastQuestion = ({ record }: Past): string =>
  record ? say("Record a dispatch that is over?") : say("Start this dispatch in the past?");

const pastWords = ({ record }: Past): string =>
  record
    ? say("Its end is in the past. It is measured and reported, and nobody is notified of it.")
    : say("Its start is more than 5 minutes in the past. Participants are notified now.");

/** Another operator may have dispatched the same sites since the preview. */
const issuedWords = (sites: ReplyOf<typeof operator.createDispatch>["sites"]): string => {
  const overlapping = sites.filter(({ overlaps }) => overlaps.length > 0).length;
  const issued = say("Dispatch issued to {n, plural, one {# site} other {# sites}}.", { n: sites.length });
  if (overlapping === 0) return issued;
  const also = say(
    "{n, plural, one {# site is} other {# sites are}} also included in another dispatch in this period.",
    { n: overlapping },
  );
  return `${issued} ${also}`;
};
