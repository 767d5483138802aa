import type { auth, BodyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useQuery } from "@tanstack/react-query";
import { callAuth } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useFormChange } from "../../api/use-change.js";
import { OWN_ZONE } from "../../format/time.js";
import { TimezoneField } from "../../parts/timezone-field.js";
import { isOperator } from "../../rules/role.js";
import { Button } from "../../ui/button.js";
import { Card } from "../../ui/card.js";
import { Checkbox, Field } from "../../ui/field.js";
import { Form, FormFault } from "../../ui/form.js";
import { Answered } from "../../ui/state.js";
import { type Draft, useDraft } from "../../ui/use-draft.js";
import { Browsers } from "./browsers.js";

type Preferences = auth.NoticePreferences;

/** What the signed-in user is notified of in person, and where. */
export const Notifications = () => {
  const preferences = useQuery({
    queryKey: ["/auth", "/notice-preferences"],
    queryFn: () => callAuth("GET", "/notice-preferences", {}),
  });
  return (
    <>
      <Card title={say("Notifications")}>
        <Answered of={preferences}>{(data) => <Choices key={JSON.stringify(data)} preferences={data} />}</Answered>
      </Card>
      {preferences.data !== undefined && <Browsers preferences={preferences.data} />}
    </>
  );
};

interface Chosen {
  readonly dispatches_mail: boolean;
  readonly dispatches_push: boolean;
  readonly changes_mail: boolean;
  readonly changes_push: boolean;
  readonly alarms_mail: boolean;
  readonly alarms_push: boolean;
  readonly is_quiet: boolean;
  readonly from: string;
  readonly until: string;
  readonly timezone: string;
}

const Choices = ({ preferences }: { readonly preferences: Preferences }) => {
  const initial = chosenFrom(preferences);
  const draft = useDraft<Chosen>(initial);
  const save = useFormChange(
    (body: BodyOf<typeof auth.setNoticePreferences>) => callAuth("PUT", "/notice-preferences", { body }),
    {
      done: say("Notifications saved."),
    },
  );
  const isChanged = JSON.stringify(draft.values) !== JSON.stringify(initial);
  return (
    <Form onSend={() => save.run(bodyFrom(draft.values))} error={save.error}>
      <p className="text-muted">
        {say("These notifications go to you in person. Mails to the contacts of an account do not depend on them.")}
      </p>
      <Matrix draft={draft} />
      {!preferences.has_mail && (
        <p className="text-sm text-warn">{say("This service has no mail server, so no emails are sent.")}</p>
      )}
      <QuietHours draft={draft} />
      <FormFault />
      <div>
        <Button type="submit" look="primary" disabled={!isChanged} busy={save.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </div>
    </Form>
  );
};

const Matrix = ({ draft }: { readonly draft: Draft<Chosen> }) => {
  const alarms = isOperator(useUser())
    ? say("New alarms of the service and of accounts")
    : say("A notification that failed, a silent VEN, a certificate that expires soon");
  const rows = [
    ["dispatches", say("Dispatches"), say("When a dispatch is issued")],
    ["changes", say("Changes"), say("When a dispatch changes, is cancelled or ended")],
    ["alarms", say("Alarms"), alarms],
  ] as const;
  return (
    <table className="w-full max-w-2xl">
      <thead>
        <tr className="border-b border-line text-left text-sm text-muted">
          <th scope="col" className="py-1 font-medium">
            {say("Notify me of")}
          </th>
          <th scope="col" className="w-20 py-1 text-center font-medium">
            {say("Mail", {}, "channel")}
          </th>
          <th scope="col" className="w-20 py-1 text-center font-medium">
            {say("Browser")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([topic, label, hint]) => (
          <tr key={topic} className="border-b border-line">
            <th scope="row" className="py-2 pr-3 text-left font-normal">
              {label}
              <span className="block text-sm text-muted">{hint}</span>
            </th>
            {(["mail", "push"] as const).map((channel) => (
              <td key={channel} className="p-0 text-center">
                <label className="inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center">
                  <input
                    type="checkbox"
                    className="size-5 accent-accent"
                    aria-label={
                      channel === "mail"
                        ? say("{topic} by mail", { topic: label })
                        : say("{topic} in the browser", { topic: label })
                    }
                    {...draft.tick(`${topic}_${channel}`)}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const QuietHours = ({ draft }: { readonly draft: Draft<Chosen> }) => (
  <fieldset className="grid max-w-2xl gap-2">
    <legend className="sr-only">{say("Quiet hours")}</legend>
    <Checkbox label={say("Quiet hours: hold back alarms")} {...draft.tick("is_quiet")} />
    {draft.values.is_quiet && (
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[8rem_8rem_1fr]">
        <Field label={say("From")} type="time" required {...draft.text("from")} name="quiet_hours.from" />
        <Field label={say("Until")} type="time" required {...draft.text("until")} name="quiet_hours.until" />
        <div className="col-span-2 sm:col-span-1">
          <TimezoneField label={say("Time zone")} {...draft.text("timezone")} />
        </div>
      </div>
    )}
    <p className="text-sm text-muted">
      {say(
        "Dispatches and their changes are never held back. An alarm that is over when the quiet hours end is not sent.",
      )}
      {!draft.values.is_quiet && ` ${say("Times in notifications are in {zone}.", { zone: draft.values.timezone })}`}
    </p>
  </fieldset>
);

const chosenFrom = ({ dispatches, changes, alarms, quiet_hours, timezone, is_set }: Preferences): Chosen => ({
  dispatches_mail: dispatches.mail,
  dispatches_push: dispatches.push,
  changes_mail: changes.mail,
  changes_push: changes.push,
  alarms_mail: alarms.mail,
  alarms_push: alarms.push,
  is_quiet: quiet_hours !== null,
  from: quiet_hours?.from ?? "22:00",
  until: quiet_hours?.until ?? "06:00",
  timezone: is_set ? timezone : OWN_ZONE,
});

const bodyFrom = (chosen: Chosen): BodyOf<typeof auth.setNoticePreferences> => ({
  dispatches: { mail: chosen.dispatches_mail, push: chosen.dispatches_push },
  changes: { mail: chosen.changes_mail, push: chosen.changes_push },
  alarms: { mail: chosen.alarms_mail, push: chosen.alarms_push },
  quiet_hours: chosen.is_quiet ? { from: chosen.from, until: chosen.until } : null,
  timezone: chosen.timezone,
});
