import { say } from "@curtail/words/page";
import { type Openadr3Client, type Openadr3ClientDraft, SCOPES_OF } from "../../../rules/openadr3-client-draft.js";
import { Checkbox, Choices, Field, TextArea } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

/** Name, sites, targets and scopes of a client. */
export const ClientFields = ({
  draft,
  role,
}: {
  readonly draft: Draft<Openadr3ClientDraft>;
  readonly role: Openadr3Client["role"];
}) => (
  <>
    <Field label={say("Name")} maxLength={100} {...draft.text("name")} />
    {role === "ven" && (
      <>
        <TextArea
          label={say("Sites (optional)")}
          hint={say(
            "Ids of the sites that it is for, one per line. If empty, all current and future sites of the account.",
          )}
          rows={2}
          {...draft.text("sites")}
        />
        <TextArea
          label={say("Targets (optional)")}
          hint={say(
            "One per line. It sees programs and events that have one of them, besides its own and those for everybody.",
          )}
          rows={2}
          {...draft.text("targets")}
        />
      </>
    )}
    <Scopes draft={draft} role={role} />
  </>
);

const Scopes = ({
  draft: { values, set },
  role,
}: {
  readonly draft: Draft<Openadr3ClientDraft>;
  readonly role: Openadr3Client["role"];
}) => (
  <details>
    <summary className="cursor-pointer text-sm font-medium">
      {say("Scopes: {n}", {
        n: values.scopes.length === SCOPES_OF[role].length ? say("all", {}, "scopes") : values.scopes.length,
      })}
    </summary>
    <Choices label={say("The client may")} name="scopes">
      {SCOPES_OF[role].map((scope) => (
        <Checkbox
          key={scope}
          label={<code>{scope}</code>}
          checked={values.scopes.includes(scope)}
          onChange={({ target }) =>
            set({
              scopes: target.checked ? [...values.scopes, scope] : values.scopes.filter((other) => other !== scope),
            })
          }
        />
      ))}
    </Choices>
  </details>
);
